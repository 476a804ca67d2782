import LinkTransfer

/// `Fetch URL FILE`: downloads, shows how far it is, and resumes whatever the network does.
@main
struct Fetch {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: Fetch URL FILE")
            return
        }
        let client = try TransferClient()
        var options = TransferOptions()
        options.resumeFile = arguments[2] + ".resume"
        let transfer = try client.startDownload(
            from: arguments[1],
            to: arguments[2],
            options: options
        )
        let watching = Task {
            for await progress in transfer.progress {
                print("\(progress.position) of \(progress.expected.map(String.init) ?? "?")")
            }
        }
        do {
            let outcome = try await transfer.outcome()
            await watching.value
            print("\(outcome.size) bytes, \(outcome.attempts) attempts")
        } catch {
            print(error)
        }
    }
}
