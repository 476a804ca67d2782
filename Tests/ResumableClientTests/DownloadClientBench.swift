import HTTPWire
import ResumableClient
import Testing

typealias DownloadClientBench = ClientBench<DownloadMachine>

/// A download of http://h/file.
func download(
    _ url: String = "http://h/file",
    resuming: DownloadResumption? = nil,
    fileSize: UInt64? = nil,
    draws: RandomDraws = .half,
    _ change: (inout DownloadPlan) -> Void = { _ in }
) -> DownloadClientBench {
    var plan = DownloadPlan(from: .of(url), into: "file.part")
    change(&plan)
    let tokens = RetryTokens()
    guard let resuming else {
        return ClientBench(DownloadMachine(plan, draws: draws, tokens: tokens))
    }
    return ClientBench(
        DownloadMachine(
            plan,
            resuming: resuming,
            fileSize: fileSize,
            draws: draws,
            tokens: tokens
        )
    )
}

/// The fields of a whole object of 100 bytes; nil takes one away.
func object(_ changes: [String: String?] = [:]) -> HeaderFields {
    var fields: HeaderFields = [
        "Content-Length": "100", "ETag": "\"a\"", "Accept-Ranges": "bytes",
        "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
        "Last-Modified": "Sun, 06 Nov 1994 08:49:36 GMT",
    ]
    for (name, value) in changes { fields[name] = value }
    return fields
}

/// The fields of a part of it.
func part(_ range: Range<Int>, of size: String = "100", _ changes: [String: String?] = [:])
    -> HeaderFields
{
    var fields = object()
    fields["Content-Length"] = "\(range.count)"
    fields["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
    for (name, value) in changes { fields[name] = value }
    return fields
}

extension ClientBench where Machine == DownloadMachine {
    /// Started, 40 bytes stored, and the rest on its way.
    static func receiving(
        _ fields: HeaderFields = object(),
        at stored: UInt64 = 40,
        _ change: (inout DownloadPlan) -> Void = { _ in }
    ) -> DownloadClientBench {
        var bench = download("http://h/file", change)
        bench.start()
        bench.head(200, fields)
        bench.stored(stored)
        return bench
    }

    /// Started, 40 bytes stored, cut and ready to go on.
    static func cut(
        _ fields: HeaderFields = object(),
        at stored: UInt64 = 40,
        _ change: (inout DownloadPlan) -> Void = { _ in }
    ) -> DownloadClientBench {
        var bench = receiving(fields, at: stored, change)
        bench.cut(TransportFailure.truncated)
        bench.wake()
        return bench
    }
}
