internal import Arguments
internal import Basics
internal import HTTPWire
internal import Transfers

/// `linkcond transfers`: background transfers.
struct TransfersCommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        switch invocation.path.last {
        case "run":
            let transfer = try BackgroundPlace.transfer(invocation.operands[0])
            return try BackgroundWorker(transfer, console: console).runToEnd()
        case "remove": return try remove(invocation.operands)
        case "attach": return try AttachCommand(invocation, console: console).runToEnd()
        case "pause": return try TransferControl(console: console).pause(invocation.operands[0])
        case "resume": return try TransferControl(console: console).resume(invocation)
        default: return try list(asJSON: invocation.has("json"))
        }
    }

    private func list(asJSON: Bool) throws(Failure) -> ExitCode {
        let rows = try BackgroundPlace.registry().all().map {
            BackgroundRow($0, $0.state)
        }
        if asJSON {
            try console.write(rows.map { JSONValue.object($0.json).text })
        } else if rows.isEmpty {
            try console.write([
                "no background transfers; start one with download or upload --background"
            ])
        } else {
            try console.write(BackgroundRow.table(rows, width: console.tableWidth))
        }
        return .success
    }

    private func remove(_ identifiers: [String]) throws(Failure) -> ExitCode {
        let registry = try BackgroundPlace.registry()
        for identifier in identifiers {
            let transfer = try BackgroundPlace.transfer(identifier)
            if transfer.worker() != nil {
                throw Failure(
                    .usage,
                    "'\(identifier)' is running; first: linkcond transfers pause \(identifier)"
                )
            }
            do throws(StorageError) {
                try registry.remove(transfer)
            } catch {
                throw Failure(.cannotCreate, error.description)
            }
        }
        return .success
    }
}

/// One transfer in the list.
struct BackgroundRow {
    let identifier: String
    let state: BackgroundState
    let description: TransferDescription?

    init(_ transfer: TransferFolder, _ state: BackgroundState) {
        identifier = transfer.identifier
        self.state = state
        description = try? transfer.description()
    }

    init(identifier: String, state: BackgroundState, description: TransferDescription?) {
        self.identifier = identifier
        self.state = state
        self.description = description
    }

    var json: JSONObject {
        [
            "id": .string(identifier),
            "state": .string(state.condition.rawValue),
            "detail": state.detail.map { .string($0) } ?? .null,
            "kind": description.map { .string($0.isUpload ? "upload" : "download") } ?? .null,
            "url": description.map { .string($0.address.text) } ?? .null,
            "file": description.map { .string($0.file) } ?? .null,
            "position": .number(state.position),
            "expected": state.expected.map { .number($0) } ?? .null,
        ]
    }

    private var cells: [String] {
        let amount =
            state.expected.map { "\(Figures.bytes(state.position)) of \(Figures.bytes($0))" }
            ?? Figures.bytes(state.position)
        let condition = state.condition.rawValue + (state.detail.map { " (\($0))" } ?? "")
        let arrow = description?.isUpload == true ? "to" : "from"
        return [
            identifier, condition, amount,
            description.map { "\($0.file) \(arrow) \($0.address.text)" } ?? "(cannot be read)",
        ]
    }

    static func table(_ rows: [BackgroundRow], width: Int) -> [String] {
        let cells = [["ID", "STATE", "BYTES", "WHAT"]] + rows.map(\.cells)
        let widths = (0..<3).map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { row in
            let padded = (0..<3).map { TextLayout.pad(row[$0], to: widths[$0]) } + [row[3]]
            return TextLayout.clip(padded.joined(separator: "  "), to: width)
        }
    }
}
