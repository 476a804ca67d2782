import Basics
import Journal
import Testing

@Suite struct JournalRecordTests {
    @Test func `each record has its line`() {
        let expected = [
            #"{"v":1,"t":"start","tool":"linkcond 0.1.0","command":"proxy","seed":7,"schedule":"lc1;seed=7;c1:down+5=rst","profile":"lte","profile_sha256":"ab12","env":{"pid":42,"listen":"127.0.0.1:4711"},"n_approx":0,"at_ns":0}"#,
            #"{"v":1,"t":"path","interface":"cellular","expensive":true,"constrained":false,"n_approx":1,"at_ns":1000}"#,
            #"{"v":1,"t":"conn","c":1,"env":{"client":"127.0.0.1:5"},"n_approx":2,"at_ns":2000}"#,
            #"{"v":1,"t":"draw","c":1,"stream":"offset c*:down+1..9=rst","index":1,"value":5,"n_approx":3,"at_ns":3000}"#,
            #"{"v":1,"t":"fault","c":1,"id":"c1:down+5=rst","address":"down+5","effect":"rst","state":"fired","offset":5,"racy":true,"by_hand":true,"n_approx":4,"at_ns":4000}"#,
            #"{"v":1,"t":"connend","c":1,"by":"fault","how":"rst","down_bytes":5,"up_bytes_approx":80,"down_sha256":"ff00","n_approx":5,"at_ns":5000}"#,
            #"{"v":1,"t":"conn","l":2,"c":1,"n_approx":6,"at_ns":6000}"#,
            #"{"v":1,"t":"connend","l":2,"c":1,"by_approx":"client","how_approx":"fin","down_bytes_approx":9,"up_bytes":80,"up_sha256":"ff01","client_end_ns":6500,"late_streams":2,"n_approx":7,"at_ns":7000}"#,
            #"{"v":1,"t":"upstream","c":2,"error":"refused","env":{"words":"connect to 127.0.0.1:9: refused"},"n_approx":8,"at_ns":8000}"#,
            #"{"v":1,"t":"note","c":2,"text":"half-closed","n_approx":9,"at_ns":9000}"#,
            #"{"v":1,"t":"note","text":"drained","n_approx":10,"at_ns":10000}"#,
            #"{"v":1,"t":"budget","limit":"soft","bytes":1000,"bps":64000,"n_approx":11,"at_ns":11000}"#,
            #"{"v":1,"t":"internal","kind":"late-pacing","text":"3 ms late","n_approx":12,"at_ns":12000}"#,
            #"{"v":1,"t":"fault","id":"c9:connect=refuse","address":"connect","effect":"refuse","state":"unreached","reason":"no connection","n_approx":13,"at_ns":13000}"#,
            #"{"v":1,"t":"req","c":3,"r":1,"method":"POST","target":"/files?{q3}","framing":"length","length":10,"head_bytes":120,"fields":{"authorization":"{s4}","host":"127.0.0.1:4711","idempotency-key":"\"x9\"","upload-complete":"?1"},"racy":true,"http":"2","n_approx":14,"at_ns":14000}"#,
            #"{"v":1,"t":"interim","c":3,"r":1,"k":1,"status":104,"head_bytes":90,"fields":{"location":"http://127.0.0.1:4711/u/77?{q9}"},"by":"fault","n_approx":15,"at_ns":15000}"#,
            #"{"v":1,"t":"body","c":3,"r":1,"dir":"req","bytes":6,"complete":false,"sha256":"aa00","first64k_sha256":"aa01","chunks":[2,5],"first_ns":900,"n_approx":16,"at_ns":16000}"#,
            #"{"v":1,"t":"fault","c":3,"r":1,"id":"c3/r1:req.body+6=rst","address":"c3/r1:req.body+6","effect":"rst","state":"fired","offset":6,"n_approx":17,"at_ns":17000}"#,
            #"{"v":1,"t":"req","c":4,"r":1,"method":"HEAD","target":"/u/77?{q9}","framing":"none","head_bytes":100,"fields":{"authorization":"{s4}","host":"127.0.0.1:4711"},"n_approx":18,"at_ns":18000}"#,
            #"{"v":1,"t":"resp","c":4,"r":1,"status":200,"framing":"close","head_bytes":150,"fields":{"age":"5","content-location":"//other:81/x","date":"Sat, 21 Nov 2026 09:00:00 GMT","etag":"W/\"v7\"","last-modified":"Sat, 21 Nov 2026 08:00:00 GMT"},"n_approx":19,"at_ns":19000}"#,
            #"{"v":1,"t":"body","c":4,"r":1,"dir":"resp","bytes_approx":3,"complete":false,"n_approx":20,"at_ns":20000}"#,
            #"{"v":1,"t":"resp","c":4,"r":2,"status":503,"framing":"length","length":0,"head_bytes":60,"fields":{"retry-after":"Sat, 21 Nov 2026 09:00:04 GMT"},"by":"fault","n_approx":21,"at_ns":21000}"#,
            #"{"v":1,"t":"opaque","c":4,"dir":"resp","reason":"upgrade","n_approx":22,"at_ns":22000}"#,
            #"{"v":1,"t":"dns","transport":"udp","name":"api.test","qtype":"AAAA","number":2,"source":"fault","answer":"NXDOMAIN","faults":["AAAA(api.test)#2=nxdomain"],"env":{"client":"127.0.0.1:5"},"n_approx":23,"at_ns":23000}"#,
            #"{"v":1,"t":"dns","transport":"tcp","name":"a.test","qtype":"A","source":"upstream","answer_approx":"NOERROR 192.0.2.1","n_approx":24,"at_ns":24000}"#,
            #"{"v":1,"t":"origin","event":"committed","resource":"/u/77?{q9}","offset":6,"n_approx":25,"at_ns":25000}"#,
            #"{"v":1,"t":"origin","event":"complete","resource":"/u/78","offset":10,"sha256":"bb00","n_approx":26,"at_ns":26000}"#,
            #"{"v":1,"t":"command","exit":28,"started_ns":5,"env":{"argv":["curl","-T","/tmp/x"]},"n_approx":27,"at_ns":27000}"#,
            #"{"v":1,"t":"command","signal":9,"timed_out":true,"started_ns":0,"env":{"argv":[]},"n_approx":28,"at_ns":28000}"#,
            #"{"v":1,"t":"verdict","check":"B1","verdict":"fail","limit":"growing gaps","reason":"hammer","observed_approx":"5 gaps from 3 ms to 9 ms","lines_approx":[4,9],"n_approx":29,"at_ns":29000}"#,
            #"{"v":1,"t":"change","action":"cut","by":"control","detail":{"kind":"rst"},"adds":["c8:down+1=rst"],"removes":["c7:down+1=rst"],"connections_approx":2,"at_approx":[{"c":3,"up":5,"down":900},{"l":2,"c":1,"up":0,"down":7}],"n_approx":30,"at_ns":30000}"#,
            #"{"v":1,"t":"flow","u":1,"env":{"client":"127.0.0.1:6"},"n_approx":31,"at_ns":31000}"#,
            #"{"v":1,"t":"quic","u":1,"version":"1","sni":"h","alpn":["h3"],"dcid_approx":"0102","scid_approx":"03","max_idle_ms":30000,"n_approx":32,"at_ns":32000}"#,
            #"{"v":1,"t":"fault","u":1,"id":"u1:up#9=drop","address":"up#9","effect":"drop","state":"fired","n_approx":33,"at_ns":33000}"#,
            #"{"v":1,"t":"fault","u":1,"id":"u1/1rtt:down#2=drop","address":"1rtt:down#2","effect":"drop","state":"fired","n_approx":34,"at_ns":34000}"#,
            #"{"v":1,"t":"flowend","u":1,"by":"idle","down_approx":90,"down_delivered_approx":86,"down_bytes_approx":900,"down_packets_approx":{"1rtt":88,"initial":2},"down_unopened_approx":3,"down_lost_approx":"3,7-9","up_approx":80,"up_delivered_approx":79,"up_bytes_approx":800,"up_packets_approx":{"1rtt":78,"initial":2},"up_unopened_approx":3,"up_lost_approx":"1","unvalidated_up_approx":1200,"unvalidated_down_approx":3600,"down_last_ns":5000,"outage_last_ns":4000,"n_approx":35,"at_ns":35000}"#,
            #"{"v":1,"t":"messages","c":4,"r":1,"dir":"resp","kind":"ws","count":5,"partial":3,"whole":true,"close":1000,"last_id":"e7","retry":70,"n_approx":36,"at_ns":36000}"#,
            #"{"v":1,"t":"messages","c":4,"r":1,"dir":"req","kind":"sse","count_approx":2,"partial_approx":9,"whole":false,"last_id_approx":"e2","n_approx":37,"at_ns":37000}"#,
            #"{"v":1,"t":"qpacket","u":1,"dir":"down","k":9,"bytes":1200,"packet":"1rtt","number":7,"frames":["ack=1-4","path_challenge=0102030405060708"],"path":1,"came_ns":500,"silence_ns":200,"max_idle_ms":10000,"n_approx":38,"at_ns":38000}"#,
            #"{"v":1,"t":"datagram","u":1,"dir":"up","k":9,"bytes":1200,"packets":["initial","0rtt"],"fate":"fault","fault":"u1:up#9=drop","came_ns":600,"digested":true,"n_approx":39,"at_ns":39000}"#,
            #"{"v":1,"t":"messages","c":4,"r":1,"dir":"resp","kind":"grpc","count":3,"whole":true,"status":14,"pushback":250,"n_approx":40,"at_ns":40000}"#,
            #"{"v":1,"t":"messages","c":4,"r":1,"dir":"resp","kind":"grpc","count":3,"whole":true,"status":14,"no_retry":true,"n_approx":41,"at_ns":41000}"#,
            #"{"v":1,"t":"end","exit":0,"verdict":"fail","digest":"cafe","n_approx":42,"at_ns":42000}"#,
        ]
        let lines = String(decoding: Samples.journal(), as: UTF8.self).split(separator: "\n")
        #expect(lines.map(String.init) == expected)
    }

    @Test func `every key that is written is described, and every type`() throws {
        let common = Set(JournalFormat.common.map(\.name))
        var written: [String: Set<String>] = [:]
        var journal = Samples.journal()
        let afterStart = try #require(journal.firstIndex(of: UInt8(ascii: "\n"))) + 1
        // What is written only where it is so.
        let path = PathReport(interface: "wifi", isSatisfied: false)
        let line = JournalRecord.path(nil, path).line(sequence: 0, at: .start)
        journal.insert(contentsOf: line, at: afterStart)
        var reader = JournalReader()
        reader.append(journal)
        while let entry = try reader.next() {
            let keys = entry.text.object().members.map(\.key).filter { !common.contains($0) }
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
