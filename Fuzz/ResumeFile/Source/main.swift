// Invariant: any bytes are refused in one plain line, or are resume data that read back as themselves
// and from which a transfer goes on, whatever the server answers, without asking for what it has.

import Basics
import FuzzSupport
import HTTPWire
import ResumableClient
import Transfers

fuzz { bytes in
    let file: ResumeFile
    do throws(RecordError) {
        file = try ResumeFile(bytes)
    } catch {
        let text = error.description
        require(!text.isEmpty && !text.utf8.contains { $0 < 0x20 }, "a message is one plain line")
        return
    }
    require((try? ResumeFile(file.bytes)) == file, "resume data read back")
    let draws = RandomDraws { _, _ in 0 }
    switch file.data {
    case .download(let state): goOn(file.description, state, draws)
    case .upload(let state): goOn(file.description, state, draws)
    }
}

private func goOn(
    _ description: TransferDescription,
    _ state: DownloadResumption,
    _ draws: RandomDraws
) {
    for fileSize in [0, 1, state.stored, state.stored &+ 1] {
        var plan = DownloadPlan(from: description.address, into: state.file)
        plan.fields = description.fields
        plan.retry = description.retry
        plan.path = description.path
        var machine = DownloadMachine(
            plan,
            resuming: state,
            fileSize: fileSize,
            draws: draws,
            tokens: RetryTokens()
        )
        let actions = machine.start(at: .zero)
        for case .send(let request) in actions {
            guard let range = request.fields["Range"] else { continue }
            require(range == "bytes=\(min(fileSize, state.stored))-", "it asks for what follows")
        }
        _ = machine.head(ResponseHead(206, fields: ["Content-Range": "bytes 0-0/1"]), at: .zero)
        _ = machine.requestFailed(.truncated, didSend: true, at: .zero)
        _ = machine.timerFired(at: .century)
        _ = machine.pause()
    }
}

private func goOn(
    _ description: TransferDescription,
    _ state: UploadResumption,
    _ draws: RandomDraws
) {
    for offset in [0, state.acknowledged, state.source.size] {
        var plan = UploadPlan(to: description.address, source: state.source)
        plan.fields = description.fields
        plan.retry = description.retry
        plan.path = description.path
        if case .upload(let choices) = description.kind {
            plan.appendSize = choices.appendSize
            plan.method = choices.method
        }
        var machine = UploadMachine(plan, resuming: state, draws: draws, tokens: RetryTokens())
        _ = machine.start(at: .zero)
        let fields: HeaderFields = [
            "Upload-Offset": "\(offset)", "Upload-Complete": "?0", "Upload-Incomplete": "?1",
        ]
        for case .send(let request) in machine.final(ResponseHead(204, fields: fields), at: .zero) {
            guard let body = request.body else { continue }
            require(body.lowerBound >= state.acknowledged, "nothing confirmed is sent again")
            require(body.upperBound <= state.source.size, "no more is sent than there is")
        }
        _ = machine.requestFailed(.connectionLost, didSend: true, at: .zero)
        _ = machine.timerFired(at: .century)
        _ = machine.pause()
    }
}
