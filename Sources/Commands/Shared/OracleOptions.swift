internal import Basics
internal import Arguments
internal import Exploration
internal import Trials

/// The options that say what the result of a trial must be like.
enum OracleOptions {
    /// In the order of the options' names: `same`, `sha256`, `fetch-check`, `server-check`.
    static func oracles(_ invocation: Invocation) throws(Failure) -> [Oracle] {
        let results = try results(invocation)
        let same = invocation.values("same")
        var oracles: [Oracle] = zip(same, results).map { .same(reference: $0, result: $1) }
        for (text, result) in zip(invocation.values("sha256"), results.dropFirst(same.count)) {
            oracles.append(.sha256(digest: try digest(text), result: result))
        }
        for text in invocation.values("fetch-check") { oracles.append(try fetch(text)) }
        for text in invocation.values("server-check") {
            oracles.append(.command(["/bin/sh", "-c", text]))
        }
        return oracles
    }

    /// The file that each of `--same` and `--sha256` is about.
    private static func results(_ invocation: Invocation) throws(Failure) -> [String] {
        let count = invocation.values("same").count + invocation.values("sha256").count
        let given = invocation.values("result")
        if given.isEmpty { return Array(repeating: "{out}", count: count) }
        guard count > 0 else {
            throw Failure(.usage, "--result needs --same or --sha256")
        }
        if given.count == 1 { return Array(repeating: given[0], count: count) }
        guard given.count == count else {
            throw Failure(
                .usage,
                "\(given.count) --result for \(count) --same and --sha256; give one for all, or one"
                    + " each"
            )
        }
        return given
    }

    private static func digest(_ text: String) throws(Failure) -> String {
        let isHexadecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
        guard isHexadecimal, text.utf8.count == 64 else {
            throw Failure(
                .usage,
                "--sha256 '\(text)': write 64 hexadecimal digits, as `sha256sum FILE` prints them"
            )
        }
        return text.lowercased()
    }

    private static func fetch(_ text: String) throws(Failure) -> Oracle {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("/") || parts[1].contains("://") else {
            throw Failure(
                .usage,
                "--fetch-check '\(text)': write FILE=URL, for example photo.jpg=/files/photo.jpg"
            )
        }
        return .fetch(url: String(parts[1]), reference: String(parts[0]))
    }

    /// As a person gave it, for the summary.
    static func text(_ oracle: Oracle) -> String {
        switch oracle {
        case .same(let reference, let result): "\(result) is \(reference)"
        case .sha256(let digest, let result): "\(result) has SHA-256 \(digest.prefix(12))..."
        case .fetch(let url, let reference): "\(url) gives \(reference)"
        case .command(let words): words.last ?? ""
        case .code(let code): code.name
        }
    }
}
