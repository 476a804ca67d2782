extension ServerPorts {
    /// Where the system's own range begins: ip(7).
    static var firstOfSystem: Int? {
        let path = "/proc/sys/net/ipv4/ip_local_port_range"
        guard let bytes = try? FileSystem.read(path, limit: 1_000) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }
}
