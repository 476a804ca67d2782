import Basics
import Journal
import Testing
import TestSupport

/// The canonical form, given while the journal is read.
@Suite struct GivenFormTests {
    /// What is given when it is asked for behind each of `moments`; nil if it was contradicted.
    private func given(
        _ records: [JournalRecord],
        behind moments: (Int) -> Bool = { _ in true }
    ) -> (early: [UInt8], all: [UInt8])? {
        var journal = CanonicalJournal()
        var bytes: [UInt8] = []
        for (index, record) in records.enumerated() {
            journal.add(record)
            if moments(index) { journal.giveFinal { bytes += $0 } }
        }
        let early = bytes
        journal.giveRest { bytes += $0 }
        return journal.isContradicted ? nil : (early, bytes)
    }

    private func whole(_ records: [JournalRecord]) -> [UInt8] {
        var journal = CanonicalJournal()
        for record in records { journal.add(record) }
        return journal.text
    }

    private func request(_ id: ConnectionID, _ target: String) -> JournalRecord {
        .request(
            RequestReport(
                ExchangeID(id, ordinal: 1),
                method: "GET",
                target: target,
                framing: .none,
                headBytes: 9,
                fields: Samples.fields([("Host", "h:1")])
            )
        )
    }

    private func answer(_ id: ConnectionID, _ location: String?) -> JournalRecord {
        let fields = location.map { [("Location", $0)] } ?? [("ETag", "\"\(id.ordinal)\"")]
        return .response(
            ResponseReport(
                ExchangeID(id, ordinal: 1),
                status: location == nil ? 200 : 201,
                headBytes: 9,
                fields: Samples.fields(fields)
            )
        )
    }

    private func end(_ id: ConnectionID) -> JournalRecord {
        .connectionEnd(
            ConnectionEnd(
                connection: id,
                by: .client,
                how: .fin,
                down: .init(bytes: 1, isExact: true),
                up: .init(bytes: 1, isExact: true)
            )
        )
    }

    private func connection(_ ordinal: UInt32, _ target: String, _ location: String? = nil)
        -> [JournalRecord]
    {
        let id = ConnectionID(ordinal: ordinal)
        return [
            .connection(id, environment: [:]), request(id, target), answer(id, location), end(id),
        ]
    }

    @Test func `a relative URL belongs to the last request, also of another connection`() {
        let second = ConnectionID(ordinal: 2)
        let records =
            [Samples.start] + connection(1, "/a/b")
            + [.connection(second, environment: [:]), answer(second, "c"), end(second)]
            + connection(3, "/a/c")
        let form = String(decoding: whole(records), as: UTF8.self)
        #expect(form.contains(#""target":"{u1}""#))
    }

    @Test func `connections that ended in order are given and forgotten`() throws {
        let records =
            [Samples.start] + connection(1, "/a") + connection(2, "/f", "/u/1")
            + connection(3, "/u/1")
        let told = try #require(given(records))
        #expect(told.all == whole(records))
        #expect(told.early == told.all)
    }

    @Test func `a connection that is open holds back what comes behind it`() throws {
        let open = JournalRecord.connection(ConnectionID(ordinal: 1), environment: [:])
        let records = [Samples.start, open] + connection(2, "/a") + connection(3, "/b")
        let told = try #require(given(records))
        #expect(told.early.isEmpty)
        #expect(told.all == whole(records))
    }

    @Test func `what would change what was given is noticed`() {
        let first = [Samples.start] + connection(1, "/u/1")
        let late = ConnectionID(ordinal: 1)
        let follow: [[JournalRecord]] = [
            [.note(late, text: "behind its end")],
            [.path(nil, PathReport(interface: "wifi"))],
            [.change(ChangeReport("cut", by: .control, adds: ["c8:down+1=rst"]))],
            connection(2, "/f", "/u/1"),
        ]
        for records in follow {
            #expect(given(first + records) == nil)
            #expect(given(first + records) { $0 > first.count + 4 } != nil)
        }
        #expect(given(first + [.note(nil, text: "at the end of all")]) != nil)
        // An answer in front of all requests takes the last one for its own.
        let answered = [Samples.start, answer(late, "x"), end(late)] + connection(2, "/b/")
        #expect(given(answered) == nil)
    }

    @Test func `what is given as records come is the form of them all, or is noticed`() {
        var numbers = SeededRandom(seed: 31)
        var (equal, contradicted, early) = (0, 0, 0)
        for _ in 0..<400 {
            let records = [Samples.start] + randomRecords(using: &numbers)
            let rate = Int.random(in: 1...9, using: &numbers)
            var moments = numbers
            guard
                let told = given(
                    records,
                    behind: { _ in
                        Int.random(in: 0..<rate, using: &moments) == 0
                    }
                )
            else {
                contradicted += 1
                continue
            }
            #expect(told.all == whole(records))
            equal += 1
            if !told.early.isEmpty { early += 1 }
        }
        #expect(equal > 50 && contradicted > 50 && early > 20)
    }

    /// Records of several connections at once, and of the whole run, some at odd places.
    private func randomRecords(using numbers: inout SeededRandom) -> [JournalRecord] {
        var queues: [[JournalRecord]] = [[]]
        if Bool.random(using: &numbers) { queues[0].append(.note(nil, text: "n")) }
        if Int.random(in: 0..<6, using: &numbers) == 0 {
            queues[0].append(.path(nil, PathReport(interface: "x", isExpensive: true)))
        }
        for ordinal in 1...UInt32.random(in: 1...6, using: &numbers) {
            let target = ["/a", "/f", "/u/1", "/u/2"].randomElement(using: &numbers) ?? ""
            let location = [nil, nil, "/u/1", "http://h:1/u/2", "2"].randomElement(using: &numbers)
            queues.append(connection(ordinal, target, location ?? nil))
        }
        var records: [JournalRecord] = []
        while !queues.isEmpty {
            // Mostly one after the other.
            let index = min(queues.count - 1, Int.random(in: 0..<4, using: &numbers) / 2)
            if queues[index].isEmpty {
                queues.remove(at: index)
            } else {
                records.append(queues[index].removeFirst())
            }
        }
        if Int.random(in: 0..<5, using: &numbers) == 0 { records.shuffle(using: &numbers) }
        return records
    }
}
