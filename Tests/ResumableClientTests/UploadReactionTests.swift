import HTTPWire
import ResumableClient
import Testing

/// What the client does with every kind of answer in every state, by tables.
///
/// Columns are the versions 3, 5, 6 and 8 and tus. `done`: finished. `keep`: failed with resume
/// data, `fail`: without. A method: the next request, with the offset of a PATCH; after `~` it
/// comes after a delay. `.`: there is no such answer.
@Suite struct UploadReactionTests {
    private enum State: String {
        case beforeAnnouncement, afterAnnouncement, careful, asking, appendingLast, appendingMore

        func bench(_ dialect: UploadPlan.Dialect) -> UploadClientBench {
            switch self {
            case .beforeAnnouncement:
                var bench = upload(dialect)
                bench.start()
                return bench
            case .afterAnnouncement:
                var bench = upload(dialect)
                bench.start()
                bench.interim(104, dialect.announcement())
                return bench
            case .careful:
                var bench = upload(dialect) { $0.creation = .careful }
                bench.start()
                return bench
            case .asking: return .asking(dialect)
            case .appendingLast: return .appending(dialect)
            case .appendingMore: return .appending(dialect) { $0.appendSize = 20 }
            }
        }
    }

    @Test func `an optimistic creation before anything was announced`() {
        check(
            .beforeAnnouncement,
            """
            200                             done done done done .
            201 at offset=100 yes           done done done done .
            201 at offset=99                ~HEAD ~HEAD ~HEAD done .
            201 at offset=100 no            ~HEAD ~HEAD ~HEAD fail .
            200 yes                         done done done done .
            303 at                          done done done done .
            301 at                          fail fail fail fail .
            307 at                          POST POST POST POST .
            308                             fail fail fail fail .
            400                             fail fail fail fail .
            404                             fail fail fail fail .
            409 offset=5                    fail fail fail fail .
            413                             fail fail fail fail .
            413 limit=20                    fail fail POST POST .
            423                             fail fail fail fail .
            429                             fail fail fail fail .
            501                             fail fail fail fail .
            503                             fail fail fail fail .
            cut                             fail fail fail fail .
            unsent                          ~POST ~POST ~POST ~POST .
            """
        )
    }

    @Test func `an optimistic creation after the 104`() {
        check(
            .afterAnnouncement,
            """
            200                             done done done done .
            201 at offset=100 yes           done done done done .
            201 at offset=99                ~HEAD ~HEAD ~HEAD done .
            200 no                          ~HEAD ~HEAD ~HEAD ~HEAD .
            200 yes                         done done done done .
            422 yes                         fail fail fail fail .
            503 yes                         ~HEAD ~HEAD ~HEAD fail .
            301 at                          keep keep keep keep .
            307 at                          HEAD HEAD HEAD HEAD .
            400                             fail fail fail fail .
            401                             keep keep keep keep .
            413                             DELETE DELETE DELETE DELETE .
            413 limit=20                    DELETE DELETE HEAD HEAD .
            423                             ~HEAD ~HEAD ~HEAD ~HEAD .
            429                             ~HEAD ~HEAD ~HEAD ~HEAD .
            500                             ~HEAD ~HEAD ~HEAD ~HEAD .
            501                             keep keep keep keep .
            507                             keep keep keep keep .
            cut                             ~HEAD ~HEAD ~HEAD ~HEAD .
            unsent                          ~HEAD ~HEAD ~HEAD ~HEAD .
            """
        )
    }

    @Test func `a careful creation`() {
        check(
            .careful,
            """
            200                             fail fail fail fail fail
            201 at offset=0 no              PATCH@0 PATCH@0 PATCH@0 PATCH@0 PATCH@0
            201 at                          PATCH@0 PATCH@0 PATCH@0 PATCH@0 PATCH@0
            201 at offset=10                HEAD HEAD HEAD HEAD HEAD
            201 at offset=0 yes             PATCH@0 PATCH@0 PATCH@0 fail PATCH@0
            201 offset=0                    fail fail fail fail fail
            301 at                          fail fail fail fail fail
            307 at                          POST POST POST POST POST
            400                             fail fail fail fail fail
            412                             fail fail fail fail fail
            413 limit=20                    fail fail fail fail fail
            503                             fail fail fail fail fail
            cut                             fail fail fail fail fail
            unsent                          ~POST ~POST ~POST ~POST ~POST
            """
        )
    }

    @Test func `the question how much the server has`() {
        check(
            .asking,
            """
            200 offset=50 no                PATCH@50 PATCH@50 PATCH@50 PATCH@50 PATCH@50
            204 offset=50 no                PATCH@50 PATCH@50 PATCH@50 PATCH@50 PATCH@50
            200 offset=50                   PATCH@50 PATCH@50 PATCH@50 PATCH@50 PATCH@50
            200 offset=100 yes              done done done done done
            200 offset=100 no               PATCH@100 PATCH@100 PATCH@100 PATCH@100 done
            200 offset=60 yes               DELETE DELETE DELETE DELETE PATCH@60
            200 offset=101 no               DELETE DELETE DELETE DELETE fail
            200 offset=50 length=77         PATCH@50 PATCH@50 DELETE DELETE fail
            200 offset=50 length=100        PATCH@50 PATCH@50 PATCH@50 PATCH@50 PATCH@50
            200                             keep keep keep keep keep
            200 offset=-1                   keep keep keep keep keep
            200 offset=x                    keep keep keep keep keep
            301 at                          keep keep keep keep keep
            307 at                          HEAD HEAD HEAD HEAD HEAD
            400                             fail fail fail fail fail
            403                             keep keep keep keep keep
            404                             POST POST POST POST POST
            410                             POST POST POST POST POST
            409 offset=5                    fail fail fail fail fail
            423                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            425                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            500                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            501                             keep keep keep keep keep
            507                             keep keep keep keep keep
            cut                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            unsent                          ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            """
        )
    }

    @Test func `an append with the end, from 30 on`() {
        check(
            .appendingLast,
            """
            200                             done done done done ~HEAD
            201 offset=100                  done done done done done
            201 offset=99                   ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            201 offset=100 no               ~HEAD ~HEAD ~HEAD ~HEAD done
            200 yes                         done done done done ~HEAD
            303 at                          done done done done fail
            301 at                          keep keep keep keep keep
            307 at                          HEAD HEAD HEAD HEAD HEAD
            400                             fail fail fail fail fail
            403                             keep keep keep keep keep
            404                             POST POST POST POST POST
            410                             POST POST POST POST POST
            409                             HEAD HEAD HEAD HEAD HEAD
            409 offset=40                   HEAD HEAD HEAD HEAD HEAD
            409 offset=20                   DELETE DELETE DELETE DELETE fail
            409 offset=101                  DELETE DELETE DELETE DELETE fail
            413                             DELETE DELETE DELETE DELETE fail
            413 limit=20                    DELETE DELETE HEAD HEAD fail
            415                             fail fail fail fail fail
            422 yes                         fail fail fail fail fail
            423                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            429                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            460                             fail fail fail fail ~HEAD
            500                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            503 yes                         ~HEAD ~HEAD ~HEAD fail ~HEAD
            501                             keep keep keep keep keep
            507                             keep keep keep keep keep
            cut                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            unsent                          ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            """
        )
    }

    @Test func `an append without the end, from 30 to 50`() {
        check(
            .appendingMore,
            """
            204                             ~HEAD ~HEAD ~HEAD PATCH@50 ~HEAD
            201 offset=50 no                PATCH@50 PATCH@50 PATCH@50 PATCH@50 PATCH@50
            201 offset=50                   PATCH@50 PATCH@50 PATCH@50 PATCH@50 PATCH@50
            201 offset=49 no                ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            201 offset=50 yes               PATCH@50 PATCH@50 PATCH@50 fail PATCH@50
            200 yes                         ~HEAD ~HEAD ~HEAD fail ~HEAD
            303 at                          fail fail fail fail fail
            404                             POST POST POST POST POST
            409 offset=40                   HEAD HEAD HEAD HEAD HEAD
            413 limit=10                    DELETE DELETE HEAD HEAD fail
            413 limit=20                    DELETE DELETE DELETE DELETE fail
            500                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            cut                             ~HEAD ~HEAD ~HEAD ~HEAD ~HEAD
            """
        )
    }

    // MARK: Reading the tables

    private func check(_ state: State, _ table: String) {
        for line in table.split(separator: "\n") {
            let columns = line.split(separator: "  ", maxSplits: 1).map(String.init)
            let expected = (columns.last ?? "").split(separator: " ")
            #expect(expected.count == 5)
            for (dialect, reaction) in zip(UploadPlan.Dialect.resumable, expected)
            where reaction != "." {
                var bench = state.bench(dialect)
                let found = react(&bench, dialect, columns[0])
                #expect(found == reaction, "\(state) \(dialect): \(columns[0])")
            }
        }
    }

    private func react(
        _ bench: inout UploadClientBench,
        _ dialect: UploadPlan.Dialect,
        _ answer: String
    )
        -> String
    {
        let count = bench.requests.count
        let words = answer.split(separator: " ").map(String.init)
        switch words[0] {
        case "cut": bench.cut()
        case "unsent": bench.cut(.notConnected, didSend: false)
        default: bench.answer(Int(words[0]) ?? 0, fields(words.dropFirst(), dialect))
        }
        let delay = bench.timer == nil ? "" : "~"
        bench.wake()
        if bench.result != nil { return "done" }
        if let failure = bench.failure { return failure.resume.data == nil ? "fail" : "keep" }
        guard bench.requests.count == count + 1, let request = bench.last else { return "nothing" }
        let offset = request.method == "PATCH" ? "@\(request.body?.lowerBound ?? 0)" : ""
        return delay + request.method + offset
    }

    private func fields(_ words: ArraySlice<String>, _ dialect: UploadPlan.Dialect) -> HeaderFields
    {
        var fields: HeaderFields = [:]
        for word in words {
            let parts = word.split(separator: "=").map(String.init)
            switch parts[0] {
            case "at": fields.add("Location", "/u/1")
            case "offset": fields.add("Upload-Offset", parts[1])
            case "length": fields.add("Upload-Length", parts[1])
            case "limit": fields.add("Upload-Limit", "max-append-size=\(parts[1])")
            default:
                for field in dialect.completeness(parts[0] == "yes").fields {
                    fields.add(field.name, field.value)
                }
            }
        }
        return fields
    }
}
