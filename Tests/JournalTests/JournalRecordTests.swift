import Journal
import Testing

@Suite struct JournalRecordTests {
    @Test func `each record has its line`() {
        let expected = [
            #"{"v":1,"t":"start","tool":"linkcond 0.1.0","command":"proxy","seed":7,"schedule":"lc1;seed=7;c1:down+5=rst","profile":"lte","profile_sha256":"ab12","env":{"pid":42,"listen":"127.0.0.1:4711"},"n_approx":0,"at_ns":0}"#,
            #"{"v":1,"t":"path","interface":"cellular","expensive":true,"constrained":false,"n_approx":1,"at_ns":1000}"#,
            #"{"v":1,"t":"conn","c":1,"env":{"client":"127.0.0.1:5"},"n_approx":2,"at_ns":2000}"#,
            #"{"v":1,"t":"draw","c":1,"stream":"offset c*:down+1..9=rst","index":1,"value":5,"n_approx":3,"at_ns":3000}"#,
            #"{"v":1,"t":"fault","c":1,"id":"c1:down+5=rst","address":"down+5","effect":"rst","state":"fired","offset":5,"racy":true,"n_approx":4,"at_ns":4000}"#,
            #"{"v":1,"t":"connend","c":1,"by":"fault","how":"rst","down_bytes":5,"up_bytes_approx":80,"down_sha256":"ff00","n_approx":5,"at_ns":5000}"#,
            #"{"v":1,"t":"conn","l":2,"c":1,"n_approx":6,"at_ns":6000}"#,
            #"{"v":1,"t":"connend","l":2,"c":1,"by_approx":"client","how":"fin","down_bytes_approx":9,"up_bytes":80,"up_sha256":"ff01","n_approx":7,"at_ns":7000}"#,
            #"{"v":1,"t":"upstream","c":2,"error":"refused","env":{"words":"connect to 127.0.0.1:9: refused"},"n_approx":8,"at_ns":8000}"#,
            #"{"v":1,"t":"note","c":2,"text":"half-closed","n_approx":9,"at_ns":9000}"#,
            #"{"v":1,"t":"note","text":"drained","n_approx":10,"at_ns":10000}"#,
            #"{"v":1,"t":"budget","limit":"soft","bytes":1000,"bps":64000,"n_approx":11,"at_ns":11000}"#,
            #"{"v":1,"t":"internal","kind":"late-pacing","text":"3 ms late","n_approx":12,"at_ns":12000}"#,
            #"{"v":1,"t":"fault","id":"c9:connect=refuse","address":"connect","effect":"refuse","state":"unreached","reason":"no connection","n_approx":13,"at_ns":13000}"#,
            #"{"v":1,"t":"end","exit":0,"digest":"cafe","n_approx":14,"at_ns":14000}"#,
        ]
        let lines = String(decoding: Samples.journal(), as: UTF8.self).split(separator: "\n")
        #expect(lines.map(String.init) == expected)
    }

    @Test func `every key that is written is described, and every type`() throws {
        let common = Set(JournalFormat.common.map(\.name))
        var written: [String: Set<String>] = [:]
        var reader = JournalReader()
        reader.append(Samples.journal())
        while let entry = try reader.next() {
            let keys = entry.object.members.map(\.key).filter { !common.contains($0) }
            written[entry.type, default: []].formUnion(keys)
        }
        #expect(Set(written.keys) == Set(JournalFormat.types.map(\.name)))
        for type in JournalFormat.types {
            #expect(written[type.name] == Set(type.keys.map(\.name)), "\(type.name)")
        }
    }

    @Test func `the description fits a page`() {
        let lines = JournalFormat.table.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 100 })
        #expect(lines.contains("  exit                exit code"))
    }
}
