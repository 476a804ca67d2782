/// Who listens on this machine, asked without connecting, which a server would notice.
package enum ListeningPorts {
    /// Where Linux tells of sockets: proc(5).
    private static let tables = ["/proc/net/tcp", "/proc/net/tcp6"]
    /// `TCP_LISTEN` in the kernel's numbers, two hexadecimal digits.
    private static let listening = Array("0A".utf8)

    /// Whether somebody listens on a TCP port.
    package static func contain(_ port: Int) -> Bool {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = Array(
            (":" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits).utf8
        )
        return tables.contains { table in
            guard let text = try? FileSystem.read(table, limit: 1 << 24) else { return false }
            return text.split(separator: UInt8(ascii: "\n")).contains { line in
                // The second field is the local address, the fourth the state.
                let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
                guard fields.count > 3 else { return false }
                return fields[3].elementsEqual(listening)
                    && fields[1].suffix(5).elementsEqual(suffix)
            }
        }
    }
}
