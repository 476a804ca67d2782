internal import SystemIO

/// Finds out how many descriptors this process may still open.
enum DescriptorProbe {
    /// Whether `count` more can be open at once; none stays open.
    static func canOpen(_ count: Int) -> Bool {
        guard count > 0 else { return true }
        guard let socket = try? Socket(like: .loopback(port: 0)) else { return false }
        return canOpen(count - 1) && socket.isOpen
    }
}
