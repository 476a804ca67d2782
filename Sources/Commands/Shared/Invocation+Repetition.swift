internal import Arguments
internal import Proxy

// What a command line says of the one that it repeats.
extension Invocation {
    /// What was given of the options that bear on the result, flags last, without passwords.
    ///
    /// - Parameter isMeant: leaves out others of them.
    /// - Returns: words of a command line.
    func wordsBearingOnResult(
        where isMeant: (OptionSpecification) -> Bool = { _ in true }
    ) -> [String] {
        let options = command.options.filter { $0.bearsOnResult && isMeant($0) }
        let flags = options.filter { $0.value == nil && has($0.long) }
        return words(options.filter { $0.value != nil }.map(\.long)) + flags.map { "--\($0.long)" }
    }

    /// Options as words that repeat them, without passwords.
    func words(_ options: [String]) -> [String] {
        options.flatMap { option in
            values(option).flatMap { ["--\(option)", Self.shown($0, of: option)] }
        }
    }

    /// A value as it may be printed.
    static func shown(_ value: String, of option: String) -> String {
        option == "via" ? NextProxy.shown(value) : value
    }

    /// The options that name files to write, with what was given.
    var writtenFiles: [(option: String, path: String?)] {
        command.options.filter(\.writesFile).map { ($0.long, value($0.long)) }
    }
}
