internal import Arguments
internal import Transfers

/// Where background transfers keep their state.
enum BackgroundPlace {
    static func registry() throws(Failure) -> TransferRegistry {
        TransferRegistry(root: "\(try StatePlace.folder(for: "transfers"))/transfers")
    }

    /// The transfer of this name.
    static func transfer(_ identifier: String) throws(Failure) -> TransferFolder {
        let registry = try registry()
        if let transfer = registry.transfer(identifier) { return transfer }
        let known = registry.all().map(\.identifier)
        throw Failure(
            .inputMissing,
            "there is no transfer '\(identifier)'"
                + Suggestion.hint(for: identifier, in: known) + " (see: linkcond transfers)"
        )
    }
}
