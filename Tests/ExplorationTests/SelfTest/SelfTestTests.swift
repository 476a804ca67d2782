import Analysis
import SystemIO
import Testing
import TrialSupport

@testable import Exploration

@Suite(.serialized, .timeLimit(.minutes(5))) struct SelfTestTests {
    private func run(
        _ cases: [SelfTestCase],
        judge: Judge = Judge()
    ) throws -> [SelfTestRow] {
        let rig = try SandboxRig()
        let test = try SelfTest(cases, in: rig.sandbox, folder: rig.folder, judge: judge)
        var rows: [SelfTestRow] = []
        test.onEnd = { [loop = rig.loop] in
            rows = $0
            loop.stop()
        }
        let expiry = try Timer(loop: rig.loop) { [loop = rig.loop] in loop.stop() }
        expiry.start(afterMilliseconds: 280_000)
        test.start()
        rig.loop.run()
        expiry.close()
        test.close()
        #expect(rows.count == cases.count)
        return rows
    }

    /// One download, one upload, two under TLS, those of messages and of HTTP/2, and the good clients;
    /// `explore --self-test` runs all of them.
    @Test func `planted mistakes are found and the good client is not accused`() throws {
        let cases = SelfTestCase.all(goodRuns: 20).filter {
            $0.bug == nil || $0.bug == .appendsWhole || $0.bug == .createsTwice
                || $0.bug == .trustsAnyone || $0.bug == .trustsEnds
                || ![.download, .upload].contains($0.work) && !$0.isTimed
        }
        let rows = try run(cases)
        #expect(rows.count == 30)
        for row in rows { #expect(row.result.isRight, "\(row.text)") }
    }

    @Test func `a judge that accepts everything misses every mistake`() throws {
        let cases = SelfTestCase.all(goodRuns: 4).filter {
            $0.bug == .appendsWhole || $0.bug == .createsTwice
        }
        let blind = Judge(accepted: Set(FindingClass.allCases))
        for row in try run(cases, judge: blind) {
            guard case .missed = row.result else {
                Issue.record("\(row.text)")
                continue
            }
        }
    }

    @Test func `checks that are too strict accuse the good client`() throws {
        var strict = SelfTestCase.all(goodRuns: 40).filter {
            $0.bug == nil && [.download, .upload].contains($0.work)
        }
        for index in strict.indices { strict[index].checks.maximumTries = 0 }
        for row in try run(strict) {
            guard case .accused = row.result else {
                Issue.record("\(row.text)")
                continue
            }
        }
    }

    @Test func `a client that fails without faults is no result`() throws {
        var test = SelfTestCase(.hangs)
        test.misbehaviour = "object:404"
        let row = try #require(try run([test]).first)
        #expect(row.result == .failed("without faults: it ends with exit 1"))
    }
}
