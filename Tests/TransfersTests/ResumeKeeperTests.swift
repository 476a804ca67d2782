import HTTPWire
import ResumableClient
import Testing

@testable import Transfers

/// What resume data claim after a loss of power is on the disk.
@Suite struct ResumeKeeperTests {
    private let bench: ClientBench
    private let store: ResumeStore
    private let keeper: ResumeKeeper

    init() throws {
        bench = try ClientBench()
        let description = try bench.download(at: "http://h/object")
        store = try #require(bench.store(description))
        keeper = ResumeKeeper(store) { ResumeFile(description, $0) }
    }

    private func data(_ stored: UInt64) throws -> ResumeData {
        .download(
            DownloadResumption(
                address: try HTTPURL("http://h/object"),
                final: try HTTPURL("http://h/object"),
                validator: .etag("\"a\""),
                stored: stored,
                size: 1_000,
                contentCoding: nil,
                file: "object.part",
                fields: [:]
            )
        )
    }

    private var claimed: ResumeData? { try? store.load()?.data }

    @Test func `the first data claim nothing and wait for nothing`() throws {
        keeper.note(try data(100), on: bench.loop) { _ in
            Issue.record("nothing is to be waited for")
        }
        #expect(claimed == (try data(0)))
    }

    @Test func `bytes are claimed once they are on the disk, and only if they are`() throws {
        keeper.resume()
        var done: [(Bool) -> Void] = []
        keeper.note(try data(100), on: bench.loop) { done.append($0) }
        #expect(claimed == nil)
        keeper.note(try data(200), on: bench.loop) { done.append($0) }
        #expect(done.count == 1, "one wait at a time")
        done[0](false)
        #expect(claimed == nil)
        keeper.note(try data(300), on: bench.loop) { $0(true) }
        #expect(claimed == (try data(300)))
    }

    @Test func `the next data are saved after two seconds`() throws {
        keeper.resume()
        keeper.note(try data(100), on: bench.loop) { $0(true) }
        keeper.note(try data(200), on: bench.loop) { $0(true) }
        #expect(claimed == (try data(100)))
    }

    @Test(arguments: [false, true])
    func `what was under way is forgotten when it is discarded or the transfer ends`(
        isDiscarded: Bool
    ) throws {
        keeper.resume()
        var done: ((Bool) -> Void)?
        keeper.note(try data(100), on: bench.loop) { done = $0 }
        if isDiscarded { keeper.discard() } else { keeper.stop() }
        done?(true)
        #expect(claimed == nil && done != nil)
    }

    @Test func `after a fresh start the data claim nothing again`() throws {
        keeper.resume()
        try keeper.save(try data(100), durably: true)
        keeper.discard()
        #expect(claimed == nil)
        keeper.note(try data(50), on: bench.loop) { _ in Issue.record("nothing is to be waited for")
        }
        #expect(claimed == (try data(0)))
    }
}
