import Basics
import Foundation
import HTTPWire
import LinkTransfer
import SystemIO
import TestSupport
import Testing
import Transfers

/// An app that starts again follows what a worker process does.
@Suite struct AttachTests {
    /// A background upload whose worker is this test.
    private struct Bench {
        let folder: TemporaryFolder
        let transfer: TransferFolder
        let writer: EventWriter

        init() throws {
            folder = try TemporaryFolder()
            transfer = try TransferRegistry(root: "\(folder.path)/transfers").make("night")
            var description = TransferDescription(
                .upload(.init()),
                try .init("http://127.0.0.1:1/files"),
                file: "/data"
            )
            description.seed = 1
            try transfer.save(description)
            writer = try EventWriter(transfer.events)
            try setAlive(true)
        }

        func setAlive(_ isAlive: Bool) throws {
            let current = try #require(ProcessIdentity.current)
            let ticks = isAlive ? current.startTicks : current.startTicks &- 1
            try transfer.saveWorker(
                ProcessIdentity(number: current.number, startTicks: ticks, boot: current.boot)
            )
        }

        func progress(_ sent: Int, acknowledged: Int) throws {
            try writer.write([
                "t": .string("progress"), "step": .number(10), "sent": .number(sent),
                "acked": .number(acknowledged), "expected": .number(100),
            ])
        }

        func finish() throws {
            try writer.write([
                "t": .string("request"), "n": .number(1), "method": .string("POST"),
                "url": .string("http://127.0.0.1:1/files"), "from": .number(0), "to": .number(100),
            ])
            try writer.write([
                "t": .string("finished"), "status": .number(201), "size": .number(100),
                "url": .string("http://127.0.0.1:1/files/7"), "lengthProven": .bool(true),
                "digestVerified": .bool(false), "restarts": .number(2),
            ])
            try writer.write(["t": .string("all-events-delivered")])
            try setAlive(false)
        }
    }

    @Test func `a relaunched app gets the progress so far, then what follows, and the outcome`()
        async throws
    {
        let bench = try Bench()
        try bench.writer.write(["t": .string("started")])
        try bench.progress(40, acknowledged: 30)
        bench.transfer.attachedOffset = try File(bench.transfer.events.path, for: .reading).size()
        let client = try TransferClient()
        let attached = try client.attach(to: "night", in: bench.folder.path)
        var progress = attached.progress.makeAsyncIterator()
        let first = await progress.next()
        #expect(first?.acknowledged == 30 && first?.expected == 100)
        try bench.progress(70, acknowledged: 60)
        let second = await progress.next()
        #expect(second?.position == 70 && second?.acknowledged == 60)
        try bench.finish()
        let outcome = try await attached.outcome()
        #expect(outcome.status == 201 && outcome.size == 100 && outcome.restarts == 2)
        #expect(outcome.url == "http://127.0.0.1:1/files/7" && outcome.attempts == 1)
        var events: [LinkTransfer.TransferEvent] = []
        for await event in attached.events { events.append(event) }
        #expect(events.count == 1, "what was read before is not told again: \(events)")
    }

    @Test func `a worker that was killed is an error, and a released client only detaches`()
        async throws
    {
        let bench = try Bench()
        try bench.writer.write(["t": .string("started")])
        var client: TransferClient? = try TransferClient()
        let first = try #require(try client?.attach(to: "night", in: bench.folder.path))
        client = nil
        do {
            _ = try await first.outcome()
            Issue.record("it is not complete")
        } catch {
            #expect(error.kind == .paused && error.description.contains("may continue"))
        }
        #expect(bench.transfer.worker() != nil)
        let second = try TransferClient()
        let attached = try second.attach(to: "night", in: bench.folder.path)
        try bench.setAlive(false)
        do {
            _ = try await attached.outcome()
            Issue.record("it is not complete")
        } catch {
            #expect(error.kind == .failed && error.description.contains("its process was ended"))
        }
    }

    @Test func `a transfer that is not there is an error that names it`() throws {
        let folder = try TemporaryFolder()
        do {
            _ = try TransferClient().attach(to: "day", in: folder.path)
            Issue.record("there is none")
        } catch {
            #expect(error.kind == .input && error.description.contains("'day'"))
        }
    }
}

/// Foundation's types in place of strings and arrays.
@Suite struct FoundationTypesTests {
    @Test func `URLs and data are taken, and a URL that is no file's is refused`() async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: "\(folder.path)/a b")
        let nowhere = try #require(URL(string: "http://127.0.0.1:1/x"))
        let client = try TransferClient()
        var options = TransferOptions()
        options.retry.resumesByItself = false
        await #expect(throws: TransferError.self) {
            _ = try await client.download(from: nowhere, to: file, options: options)
        }
        do {
            _ = try await client.download(from: nowhere, to: nowhere)
            Issue.record("it is no file")
        } catch {
            #expect(error.kind == .input && error.description.contains("not the URL of a file"))
        }
        do {
            _ = try await client.upload(file, to: nowhere)
            Issue.record("there is no such file")
        } catch {
            #expect(error.description.contains("\(folder.path)/a b"))
        }
        let data = Data([1, 2, 3])
        #expect(ResumeData(data) == ResumeData(bytes: [1, 2, 3]) && ResumeData(data).data == data)
    }
}
