/// Free ports for servers that bind them later.
///
/// They are from below the range that the system itself gives out, so that nobody else gets one between
/// its choice and its use; one after the other, so that none comes again soon.
package struct ServerPorts: Sendable {
    private let range: Range<Int>
    private var next: Int

    private static let lowest = 16_384
    /// With fewer, the system's own choice is the better one.
    private static let least = 1_000

    /// - Parameter process: two programs at once should not begin at the same port.
    package init(of process: Int = CurrentProcess.identifier) {
        let end = Self.firstOfSystem ?? 32_768
        range = Self.lowest..<max(Self.lowest, end)
        next = range.isEmpty ? 0 : process * 101 % range.count
    }

    /// A port of the loopback that nobody has.
    package mutating func take() throws(SystemError) -> Int {
        for _ in 0..<range.count where range.count >= Self.least {
            let port = range.lowerBound + next
            next = (next + 1) % range.count
            if (try? Self.port(of: port)) == port { return port }
        }
        return try Self.port(of: 0)
    }

    /// Listens for a moment.
    private static func port(of port: Int) throws(SystemError) -> Int {
        var listener = try ListeningSocket(on: .loopback(port: UInt16(clamping: port)))
        defer { listener.close() }
        guard let found = listener.address?.port else { throw .noSuchFile }
        return Int(found)
    }
}
