internal import ControlAPI
internal import LinkProfile
internal import Libuv

/// `linkcond toxiproxy`: what its options mean.
struct ToxiproxyOptions {
    /// Where the API listens.
    var address: SocketAddress
    var allowsRemote: Bool
    var allowedHosts: [String]
    var seed: UInt64
    var journalPath: String?
    var showsProxyMetrics: Bool
    var showsRuntimeMetrics: Bool
    var isQuiet: Bool
    /// To begin with.
    var proxies: [ProxyFields] = []

    /// Toxiproxy's.
    private static let port = 8_474

    init(_ invocation: Invocation) throws(Failure) {
        allowsRemote = invocation.has("allow-remote")
        allowedHosts = invocation.values("allow-host")
        seed = try Self.seed(invocation) ?? UInt64.random(in: 1...999_999)
        journalPath = invocation.value("journal")
        showsProxyMetrics = invocation.has("proxy-metrics")
        showsRuntimeMetrics = invocation.has("runtime-metrics")
        isQuiet = invocation.has("quiet")
        let port = try invocation.count("port", in: 0...65_535) ?? Self.port
        address = try Self.address(
            invocation.value("host") ?? "localhost",
            UInt16(port),
            allowsRemote: allowsRemote
        )
        if let path = invocation.value("config") { proxies = try Self.read(path) }
    }

    /// Toxiproxy takes a number with a sign; below 0 it stands for its 64 bits.
    private static func seed(_ invocation: Invocation) throws(Failure) -> UInt64? {
        if let text = invocation.value("seed"), text.hasPrefix("-"), let number = Int64(text) {
            return UInt64(bitPattern: number)
        }
        return try invocation.seed()
    }

    private static func address(
        _ host: String,
        _ port: UInt16,
        allowsRemote: Bool
    ) throws(Failure) -> SocketAddress {
        let isName = ["localhost", ""].contains(host)
        guard let address = isName ? .loopback(port: port) : numeric(host, port) else {
            throw Failure(.usage, "--host '\(host)' is no address; give one, such as 127.0.0.1")
        }
        guard address.isLoopback || allowsRemote else {
            throw Failure(
                .usage,
                "other machines could reach \(address), and the API asks for no password;"
                    + " allow it with --allow-remote"
            )
        }
        return address
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
