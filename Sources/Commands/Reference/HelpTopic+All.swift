internal import Basics
internal import Analysis
internal import Arguments
internal import Faults

/// Every topic; the text of each is a file of the folder Help.
extension HelpTopic {
    static let all = [
        faults, misbehaviour, control, checks, configuration, movingFromToxiproxy, exitCodes,
    ]

    static let faults = HelpTopic(
        "faults",
        PackageResources.faults_md,
        inserting: [
            "byte-effects": effects { $0.isOfConnections },
            "message-effects": effects {
                !$0.isOfConnections && !$0.isOfServer && !$0.isOfTLS && !$0.isOfLookups
            },
            "tls-effects": effects { !$0.isOfConnections && $0.isOfTLS },
            "server-effects": effects { $0.isOfServer },
            "lookup-effects": effects { $0.isOfLookups },
            "datagram-effects": effects(ofFlows: true) { $0.isOfFlows },
            "inside-effects": effects(inside: true) { _ in true },
        ]
    )

    static let misbehaviour = HelpTopic("misbehaviour", PackageResources.misbehaviour_md)

    static let control = HelpTopic("control", PackageResources.control_md)

    static let checks = HelpTopic(
        "checks",
        PackageResources.checks_md,
        inserting: [
            "resumption": checks(beginningWith: "R"), "retries": checks(beginningWith: "B"),
            "datagrams": checks(beginningWith: "Q"),
            "streams": checks(beginningWith: "H"), "tls": checks(beginningWith: "T"),
            "messages": checks(beginningWith: "M"), "calls": checks(beginningWith: "G"),
        ]
    )

    static let configuration = HelpTopic(
        "config",
        PackageResources.config_md,
        inserting: ["only-on-command-line": onlyOnCommandLine]
    )

    static let movingFromToxiproxy = HelpTopic(
        "moving-from-toxiproxy",
        PackageResources.moving_from_toxiproxy_md
    )

    static let exitCodes = HelpTopic(
        "exit-codes",
        PackageResources.exit_codes_md,
        inserting: [
            "exit-codes": list(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
        ]
    )

    private static func list(_ entries: [(term: String, meaning: String)]) -> String {
        entries.map { "- `\($0.term)`: \($0.meaning)" }.joined(separator: "\n")
    }

    /// The effects of one section, as the table of effects explains them; those on datagrams have one of
    /// their own.
    private static func effects(
        ofFlows: Bool = false,
        inside: Bool = false,
        _ isMeant: (EffectRow) -> Bool
    ) -> String {
        let examples = Effect.Kind.allCases.map(\.declaration).filter(isMeant).flatMap(\.examples)
        return list(
            examples.filter { $0.fault.hasPrefix("u") == ofFlows && $0.isInside == inside }
                .map { ($0.fault, $0.meaning) }
        )
    }

    private static func checks(beginningWith letter: String) -> String {
        list(
            Check.allCases.filter { $0.rawValue.hasPrefix(letter) }.map {
                ($0.rawValue, "\($0.title); \($0.measure) (\($0.level.rawValue); \($0.source))")
            }
        )
    }

    private static var onlyOnCommandLine: String {
        var names: [String] = []
        let options = ConfigurationSchema.program.commands.flatMap(\.options)
        let others = Set(options.filter(\.isConfigurable).map(\.long))
        for option in options
        where !others.contains(option.long) && !option.isConfigurable && option.group != .general
            && !names.contains(option.long)
        {
            names.append(option.long)
        }
        return names.map { "--\($0)" }.joined(separator: ", ")
    }
}

extension HelpTopic {
    /// Reads a topic from its file, with a value in place of each `{{KEY}}`.
    private init(_ name: String, _ text: [UInt8], inserting values: [String: String] = [:]) {
        var markdown = String(decoding: text, as: UTF8.self)
        for (key, value) in values { markdown = markdown.replacing("{{\(key)}}", with: value) }
        self = HelpTopicParser.topic(named: name, markdown)
    }
}

extension EffectExample {
    /// Whether it is about a message inside a stream.
    fileprivate var isInside: Bool {
        guard case .inside = (try? Fault(parsing: fault))?.anchor else { return false }
        return true
    }
}

extension EffectRow {
    /// Whether it acts on connections, whatever their bytes mean.
    fileprivate var isOfConnections: Bool { places.contains(.byte) || places.contains(.connect) }

    fileprivate var isOfFlows: Bool { places.contains(.datagram) || places.contains(.silence) }

    fileprivate var isOfLookups: Bool { places.contains(.query) }

    fileprivate var isOfTLS: Bool { places.contains(.hello) }

    fileprivate var isOfServer: Bool { places.contains(.object) || traits.contains(.tampers) }
}
