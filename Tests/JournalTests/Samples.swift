import Journal

/// One record of each type, with every key that can be there.
enum Samples {
    static let start = JournalRecord.start(
        RunStart(
            tool: "linkcond 0.1.0",
            command: "proxy",
            seed: 7,
            schedule: "lc1;seed=7;c1:down+5=rst",
            profile: "lte",
            profileDigest: "ab12",
            environment: ["pid": .number(42), "listen": .string("127.0.0.1:4711")]
        )
    )

    static let records: [JournalRecord] = [
        start,
        .path(interface: "cellular", isExpensive: true, isConstrained: false),
        .connection(ConnectionID(ordinal: 1), environment: ["client": .string("127.0.0.1:5")]),
        .draw(ConnectionID(ordinal: 1), stream: "offset c*:down+1..9=rst", index: 1, value: 5),
        .fault(
            FaultReport(
                connection: ConnectionID(ordinal: 1),
                id: "c1:down+5=rst",
                address: "down+5",
                effect: "rst",
                state: .fired,
                offset: 5,
                isRacy: true
            )
        ),
        .connectionEnd(
            ConnectionEnd(
                connection: ConnectionID(ordinal: 1),
                by: .fault,
                how: .rst,
                down: .init(bytes: 5, isExact: true, digest: "ff00"),
                up: .init(bytes: 80, isExact: false, digest: "ff01")
            )
        ),
        .connection(ConnectionID(listener: 2, ordinal: 1), environment: [:]),
        .connectionEnd(
            ConnectionEnd(
                connection: ConnectionID(listener: 2, ordinal: 1),
                by: .client,
                how: .fin,
                down: .init(bytes: 9, isExact: false),
                up: .init(bytes: 80, isExact: true, digest: "ff01")
            )
        ),
        .upstream(ConnectionID(ordinal: 2), .refused, words: "connect to 127.0.0.1:9: refused"),
        .note(ConnectionID(ordinal: 2), text: "half-closed"),
        .note(nil, text: "drained"),
        .budget(.soft, bytes: 1_000, bitsPerSecond: 64_000),
        .trouble(.latePacing, words: "3 ms late"),
        .fault(
            FaultReport(
                connection: nil,
                id: "c9:connect=refuse",
                address: "connect",
                effect: "refuse",
                state: .unreached(reason: "no connection"),
                offset: nil
            )
        ),
        .end(RunEnd(exitCode: 0, digest: "cafe")),
    ]

    static func journal(_ records: [JournalRecord] = records) -> [UInt8] {
        records.enumerated().flatMap {
            $1.line(sequence: UInt64($0), elapsedNanoseconds: UInt64($0) * 1_000)
        }
    }
}
