import Libuv
import Testing

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

    @Test func `every planted mistake is found and the good client is not accused`() throws {
        let rows = try run(SelfTestCase.all(goodRuns: 60))
        for row in rows { print(row.text, row.runs) }
        for row in rows { #expect(row.result.isRight, "\(row.text)") }
    }
}
