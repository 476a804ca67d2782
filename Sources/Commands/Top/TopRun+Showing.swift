internal import Arguments
internal import Basics
internal import SystemIO

// What is shown.
extension TopRun {
    func redraw() {
        guard let screen, let remote, !remote.sample.isEmpty else { return }
        screen.draw { size in
            var frame = frame(remote, size)
            frame.controls = controls
            return frame.lines()
        }
    }

    private func frame(_ remote: RemoteRun, _ size: TerminalSize) -> LiveFrame {
        var frame = LiveFrame(
            state: remote.state,
            description: remote.description,
            size: size,
            usesUnicode: console.usesUnicode,
            status: nil
        )
        frame.proxy = remote.shown
        frame.quitting = "quit; the proxy keeps running"
        return frame
    }

    /// A line of the log.
    func printLine(_ line: String) {
        guard let remote else { return }
        offer("\(Figures.clock(remote.state.elapsed))  \(line)")
    }

    func printProgress() {
        guard let remote, let line = progress.next(remote.state) else { return }
        offer(line)
    }

    func printJSON() {
        guard let remote, !remote.sample.isEmpty else { return }
        offer(JSONValue.object(remote.sampleDocument).text)
    }

    /// One look, for people or programs.
    func printSnapshot() {
        guard let remote else { return }
        if form == .json {
            var document = remote.sampleDocument
            document.append("connections", .array(remote.connectionDocuments.map { .object($0) }))
            offer(JSONValue.object(document).text)
        } else {
            let size = TerminalSize(columns: console.textWidth, rows: .max)
            for line in frame(remote, size).plainLines() {
                offer(line.rendered(limit: size.columns, style: console.outputStyle))
            }
        }
        console.output.flush(milliseconds: 2_000)
    }

    /// Writes a line; whoever has seen enough of them, as `head` does, ends the run.
    private func offer(_ line: String) {
        console.offer(line)
        guard let failure = console.output.failure else { return }
        end(
            failure.isClosedPipe
                ? .success(.success)
                : .failure(Failure(.writeError, "cannot write to standard output: \(failure)"))
        )
    }
}

extension RemoteRun {
    /// The latest sample with its rates, for programs.
    var sampleDocument: JSONObject {
        var document: JSONObject = [
            "v": 1, "event": "sample", "seed": .number(description.seed),
            "bitsPerSecondUp": .number(state.up.bitsPerSecond),
            "bitsPerSecondDown": .number(state.down.bitsPerSecond),
        ]
        for member in sample.members where document[member.key] == nil {
            document.append(member.key, member.value)
        }
        return document
    }
}
