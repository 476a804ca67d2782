internal import Arguments
internal import LinkProfile
internal import SystemIO

/// When a journal continues in another file, and how many files are kept.
struct JournalParts: Hashable, Sendable {
    /// Bytes of a file after which the next one begins.
    let limit: UInt64
    /// The latest that stay; nil for all.
    var kept: Int?

    /// Each file has the start record, which is not much shorter.
    private static let leastLimit: UInt64 = 1_000

    init(limit: UInt64, kept: Int? = nil) {
        self.limit = limit
        self.kept = kept
    }

    /// Nil if the journal is one file.
    init?(_ invocation: Invocation) throws(Failure) {
        kept = try invocation.count("journal-keep", in: 1...1_000_000)
        guard let limit = try invocation.byteCount("journal-limit") else {
            guard kept == nil else {
                throw invocation.failure(
                    "journal-keep",
                    "the journal is one file; add --journal-limit SIZE"
                )
            }
            return nil
        }
        self.limit = limit
        guard limit >= Self.leastLimit else {
            throw invocation.failure("journal-limit", "give at least 1kB, as in 100MB")
        }
        guard let path = invocation.value("journal") else {
            throw invocation.failure("journal-limit", "there is no journal; add --journal FILE")
        }
        let isOther = FileSystem.isFile(path) && FileSystem.identity(of: path) == nil
        guard path != "-", !isOther else {
            let place = path == "-" ? "standard output" : "'\(path)'"
            throw invocation.failure(
                "journal-limit",
                "\(place) cannot continue in another file; give --journal the name of a file"
            )
        }
        try Self.requireOwnNames(path, invocation)
    }

    /// Refuses a part of this name for anything else: it would be removed, or written by both.
    private static func requireOwnNames(
        _ path: String,
        _ invocation: Invocation
    ) throws(Failure) {
        let name = JournalName(ProfileLibrary.plainPath(path))
        for option in invocation.options
        where option.long != "journal" && name.hasPart(at: ProfileLibrary.plainPath(option.value)) {
            throw invocation.failure(
                option.long,
                "'\(option.value)' would be a part of --journal \(path); use different names"
            )
        }
    }
}

extension OptionSpecification {
    static let journalLimit = OptionSpecification(
        long: "journal-limit",
        value: ValueSpecification(name: "SIZE"),
        help: """
            Continue in the next file once a file reaches this size. The files of --journal \
            run.jsonl are run.1.jsonl, run.2.jsonl and so on; commands that read run.jsonl read \
            them all.
            """,
        group: .output,
        isConfigurable: false
    )

    static let journalKeep = OptionSpecification(
        long: "journal-keep",
        value: ValueSpecification(name: "N"),
        help: "Keep only the latest N files of --journal-limit.",
        group: .output,
        isConfigurable: false
    )
}
