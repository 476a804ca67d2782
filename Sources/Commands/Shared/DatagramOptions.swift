internal import Arguments
internal import Basics
internal import Proxy
internal import SystemIO

/// How datagrams are to be forwarded.
enum DatagramOptions {
    /// - Parameters:
    ///   - invocation: what was given.
    ///   - isRecorded: whether anything takes the records.
    /// - Returns: what the options ask for.
    /// - Throws: `usage` for a value that makes no sense, `inputMissing` for a file that cannot be read.
    static func settings(
        _ invocation: Invocation,
        isRecorded: Bool
    ) throws(Failure) -> DatagramSettings {
        var settings = DatagramSettings()
        for option in ["quic-secrets", "record-datagrams"]
        where invocation.has(option) && !isRecorded {
            throw invocation.failure(option, "there is no journal; add --journal FILE")
        }
        if let path = invocation.value("quic-secrets") {
            guard path.hasPrefix("{dir}") || !path.contains("{dir}") else {
                throw invocation.failure(
                    "quic-secrets",
                    "'\(path)' must begin with {dir}, or do without"
                )
            }
            try requireReadable(path, invocation)
            settings.secrets = path
        }
        guard let text = invocation.value("record-datagrams") else { return settings }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let count = words.first.flatMap({ UInt64($0) }), (1...1_000_000).contains(count),
            words.count == 1 || (words.count == 2 && words[1] == "digest")
        else {
            throw invocation.failure(
                "record-datagrams",
                "'\(text)' is not a whole number from 1 to 1000000, or one followed by ,digest"
            )
        }
        settings.recorded = count
        settings.isDigested = words.count == 2
        return settings
    }

    /// A file may be made later, but what is there must be one.
    private static func requireReadable(
        _ path: String,
        _ invocation: Invocation
    ) throws(Failure) {
        guard !path.isEmpty else {
            throw invocation.failure("quic-secrets", "name a file")
        }
        do throws(SystemError) {
            _ = try File(path, for: .reading)
        } catch {
            guard error != .noSuchFile else { return }
            throw Failure(.inputMissing, "--quic-secrets: cannot read '\(path)': \(error)")
        }
    }
}

extension OptionSpecification {
    /// Of `proxy`.
    static let datagramRecords = [secrets(""), recordedDatagrams]

    /// Of `run` and `replay`.
    static let trialDatagramRecords = [
        secrets(
            """
             If FILE begins with {dir}, the variable SSLKEYLOGFILE tells CMD to write it, as in \
            --quic-secrets '{dir}/secrets'.
            """
        ), recordedDatagrams,
    ]

    private static func secrets(_ more: String) -> OptionSpecification {
        OptionSpecification(
            long: "quic-secrets",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                Read the secrets of QUIC connections from FILE, which the client or the server writes \
                (SSLKEYLOGFILE), and record the packet numbers and frame types of their packets. FILE \
                may be created later. The secrets are not recorded.\(more)
                """,
            group: .output,
            isConfigurable: false,
            bearsOnResult: true
        )
    }

    private static let recordedDatagrams = OptionSpecification(
        long: "record-datagrams",
        value: ValueSpecification(name: "N[,digest]"),
        help: """
            Record what became of the first N datagrams in each direction of each flow (1 to \
            1000000), at about 150 bytes of journal each. With ,digest the digest covers which of \
            them were lost to faults and on the link, for programs that always send the same \
            datagrams.
            """,
        group: .output,
        isConfigurable: false,
        bearsOnResult: true
    )
}
