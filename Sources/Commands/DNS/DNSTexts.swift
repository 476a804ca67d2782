internal import Basics
internal import DNS
internal import Faults
internal import Journal
internal import SystemIO

/// What is said of a name server at its start.
struct DNSDescription {
    var addresses: [SocketAddress]
    var seed: UInt64

    /// The first lines of standard output, one for each listener.
    var listeningLines: [String] { addresses.map { "listening \($0) dns, seed \(seed)" } }

    /// The same for programs: the first line with `--json`, `--ready-file` and `--ready-fd`.
    var json: JSONValue {
        [
            "v": 1, "event": "listening", "host": .string(addresses.first?.host ?? ""),
            "port": addresses.first?.port.map { .number($0) } ?? .null,
            "pid": .number(CurrentProcess.identifier), "seed": .number(seed),
            "listeners": .array(addresses.map { .string($0.description) }),
        ]
    }

    /// What to try first.
    func advice(for settings: Resolver.Settings) -> [String] {
        guard let address = addresses.first,
            let trial = DNSText.trial(at: address, settings.names)
        else { return [] }
        return ["Try: \(trial)", "Control-C ends it."]
    }
}

/// What is said of a query.
enum DNSText {
    static func line(_ report: DNSReport, _ environment: JSONObject) -> String {
        let question = report.name.isEmpty ? "no query" : "\(report.name) \(report.type)"
        let isFromUpstream = report.source == QueryReport.Source.upstream.rawValue
        let source = isFromUpstream ? ", from upstream" : ""
        let faults = report.faults.isEmpty ? "" : ", by \(report.faults.joined(separator: ", "))"
        var from = "somebody"
        if case .string(let client) = environment["client"] { from = client }
        return PrintableText.escaped(
            "\(from) \(report.transport) \(question): \(report.answer)\(source)\(faults)"
        )
    }

    /// What to try first.
    static func trial(at address: SocketAddress, _ names: [NamedAddresses]) -> String? {
        guard let port = address.port else { return nil }
        let plain = names.map(\.names.canonicalText).first {
            !$0.utf8.contains(UInt8(ascii: "*"))
        }
        return "dig @\(address.host) -p \(port) \(plain ?? "example.com")"
    }

    /// What a fault did, at the end.
    static func record(_ account: QueryFaultAccount) -> JournalRecord {
        .fault(
            FaultReport(
                connection: nil,
                id: account.fault.canonicalText,
                address: account.fault.place,
                effect: account.fault.effect.canonicalText,
                state: account.silence.map { .unreached(reason: $0.description) } ?? .fired,
                offset: nil
            )
        )
    }
}

/// What is said at the end of a run.
struct DNSSummary {
    var seed: UInt64
    var elapsed: Duration
    var accounts: [QueryFaultAccount]
    var queries: QueryTally
    var lostAnswers: Int

    func lines(style: TextStyle) -> [String] {
        var lines = [
            style(.heading, "summary")
                + " dns, seed \(seed), \(Figures.time(elapsed))"
        ]
        func add(_ name: String, _ text: String) {
            lines.append("  " + TextLayout.pad(name, to: 13) + text)
        }
        add("queries", queries.words)
        for account in accounts {
            let state =
                account.silence.map { style(.warning, "never reached (\($0))") }
                ?? (account.fired == 1 ? "fired once" : "fired \(account.fired) times")
            add("fault", "\(account.fault.canonicalText): \(state)")
        }
        if lostAnswers > 0 {
            add(
                "trouble",
                "\(Figures.count(lostAnswers, "answer")) lost: too many were to come late"
            )
        }
        return lines
    }

    var json: JSONValue {
        [
            "v": 1, "event": "summary", "seed": .number(seed),
            "elapsedMilliseconds": .number(elapsed.wholeMilliseconds),
            "queries": queries.json,
            "faults": .array(
                accounts.map {
                    [
                        "id": .string($0.fault.canonicalText), "fired": .number($0.fired),
                        "reason": .optional($0.silence?.description),
                    ]
                }
            ),
            "lostAnswers": .number(lostAnswers),
        ]
    }
}
