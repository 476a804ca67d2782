internal import Arguments
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import ToxiproxyCompatibility

/// `linkcond toxiproxy`: what its options mean.
struct ToxiproxyOptions {
    /// Where the API listens.
    var place: ListenPlace
    /// What is served in another way than asked for.
    var warnings: [String] = []
    var allowsRemote: Bool
    var allowedHosts: [String]
    var seed: UInt64
    var journalPath: String?
    /// Nil for a journal in one file.
    var journalParts: JournalParts?
    var showsProxyMetrics: Bool
    var showsRuntimeMetrics: Bool
    /// The least level that is logged; nil for nothing.
    var logThreshold: ToxiproxyEvent.Level?
    /// To begin with.
    var proxies: [ProxyFields] = []

    /// Toxiproxy's.
    private static let port = 8_474

    init(_ invocation: Invocation) throws(Failure) {
        allowsRemote = invocation.has("allow-remote")
        allowedHosts = invocation.values("allow-host")
        seed = try Self.seed(invocation) ?? UInt64.random(in: 1...999_999)
        journalPath = invocation.value("journal")
        journalParts = try JournalParts(invocation)
        showsProxyMetrics = invocation.has("proxy-metrics")
        showsRuntimeMetrics = invocation.has("runtime-metrics")
        logThreshold = invocation.has("quiet") ? nil : .info
        let port = try invocation.count("port", in: 0...65_535) ?? Self.port
        let host = invocation.value("host") ?? "localhost"
        place = try Self.place(host, UInt16(port), allowsRemote: allowsRemote)
        if case .loopback = place {
            warnings.append(
                "-host \(host) serves this machine only, at 127.0.0.1 and [::1]; start with"
                    + " --allow-remote to serve others"
            )
        }
        if logThreshold != nil, let level = CurrentProcess.environment("LOG_LEVEL") {
            readLogLevel(level)
        }
        if let path = invocation.value("config") { proxies = try Self.read(path) }
    }

    /// Reads `LOG_LEVEL`, in the words of Toxiproxy's logger.
    private mutating func readLogLevel(_ text: String) {
        switch text.lowercased() {
        case "", "trace", "debug", "info": logThreshold = .info
        case "warn": logThreshold = .warn
        case "error": logThreshold = .error
        case "fatal", "panic", "disabled": logThreshold = nil
        default:
            warnings.append(
                "LOG_LEVEL '\(text)' is unknown; use trace, debug, info, warn, error, fatal, panic"
                    + " or disabled"
            )
        }
    }

    /// Toxiproxy takes a number with a sign; below 0 it stands for its 64 bits.
    private static func seed(_ invocation: Invocation) throws(Failure) -> UInt64? {
        if let text = invocation.value("seed"), text.hasPrefix("-"), let number = Int64(text) {
            return UInt64(bitPattern: number)
        }
        return try invocation.seed()
    }

    /// A wildcard is what images of Toxiproxy pass; without leave it means this machine.
    private static func place(
        _ host: String,
        _ port: UInt16,
        allowsRemote: Bool
    ) throws(Failure) -> ListenPlace {
        if host == "localhost" { return .address(.loopback(port: port)) }
        guard let address = host.isEmpty ? .ipv6Wildcard(port: port) : numeric(host, port) else {
            throw Failure(.usage, "--host '\(host)' is not an address; give one, such as 127.0.0.1")
        }
        if address.isWildcard {
            return allowsRemote ? .everywhere(port: port) : .loopback(port: port)
        }
        guard address.isLoopback || allowsRemote else {
            throw Failure(
                .usage,
                "other machines could reach \(address), and the API asks for no password;"
                    + " allow it with --allow-remote"
            )
        }
        return .address(address)
    }

    private static func numeric(_ host: String, _ port: UInt16) -> SocketAddress? {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let text = isBracketed ? String(host.dropFirst().dropLast()) : host
        return SocketAddress(numericHost: text, port: port)
    }

    private static func read(_ path: String) throws(Failure) -> [ProxyFields] {
        let text: [UInt8]
        do throws(SystemError) {
            text = try FileSystem.read(path, limit: 1 << 20)
        } catch {
            throw Failure(.inputMissing, "cannot read configuration '\(path)': \(error)")
        }
        switch ToxiproxyFile.read(text, name: path) {
        case .success(let proxies): return proxies
        case .failure(let error): throw Failure(.configuration, diagnostics: error.lines)
        }
    }
}
