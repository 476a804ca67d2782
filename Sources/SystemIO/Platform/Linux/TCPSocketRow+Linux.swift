/// The TCP sockets of this machine, as Linux tells of them: proc(5).
package struct TCPSocketRow: Hashable, Sendable {
    package let localPort: Int
    package let remotePort: Int
    package let isListening: Bool
    /// Whether connects to 127.0.0.1 reach it, if it listens.
    package let servesLoopback: Bool
    /// Bytes that its kernel has acknowledged and its process has not read.
    package let unreadBytes: Int
    /// What `/proc/PID/fd` calls it; 0 if no process has it.
    package let inode: UInt64

    /// `TCP_LISTEN` in the kernel's numbers.
    private static let listening = "0A"
    private static let tables = ["/proc/net/tcp", "/proc/net/tcp6"]
    /// `TCP_CLOSE`, which for a UDP socket means that it has no one peer.
    private static let unconnected = "07"
    private static let datagramTables = ["/proc/net/udp", "/proc/net/udp6"]

    /// All sockets with a local port, TCP ones or those for datagrams.
    package static func all(withLocalPort port: Int, datagrams: Bool = false) -> [TCPSocketRow] {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return (datagrams ? datagramTables : tables).flatMap { table -> [TCPSocketRow] in
            guard let text = try? FileSystem.read(table, limit: 1 << 26) else { return [] }
            return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
                let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 10)
                // Most rows are none of them, and are not looked at any closer.
                guard fields.count > 9, fields[1].suffix(5).elementsEqual(suffix.utf8) else {
                    return nil
                }
                return TCPSocketRow(
                    fields.map { String(decoding: $0, as: UTF8.self) },
                    listening: datagrams ? unconnected : listening
                )
            }
        }
    }

    private init?(_ fields: [String], listening: String) {
        // Number, local and remote address, state, queues, timer, retransmissions, user, time, inode.
        let local = fields[1].split(separator: ":")
        let remote = fields[2].split(separator: ":")
        let queues = fields[4].split(separator: ":")
        guard local.count == 2, remote.count == 2, queues.count == 2,
            let localPort = Int(local[1], radix: 16), let remotePort = Int(remote[1], radix: 16),
            let unread = Int(queues[1], radix: 16), let inode = UInt64(fields[9])
        else { return nil }
        self.localPort = localPort
        self.remotePort = remotePort
        isListening = fields[3] == listening
        servesLoopback = Self.servesLoopback(local[0])
        unreadBytes = unread
        self.inode = inode
    }

    /// Whether an address is any, or begins with 127; words of four bytes, the lowest first on the
    /// machines that Linux mostly runs on.
    private static func servesLoopback(_ digits: Substring) -> Bool {
        let mapped = "0000000000000000FFFF0000"
        let short = digits.hasPrefix(mapped) ? digits.dropFirst(mapped.count) : digits
        return short.allSatisfy { $0 == "0" } || short.count == 8 && short.hasSuffix("7F")
    }
}
