internal import CLibuv
internal import CLibrary

/// Asks the kernel what the other end of a connection has not read, if it is on this machine:
/// sock_diag(7), which needs no rights.
package final class SocketDiagnosis {
    /// Below 0 where the kernel has no such thing.
    private let descriptor: CInt

    /// `NETLINK_SOCK_DIAG`, `SOCK_DIAG_BY_FAMILY` and `NLM_F_REQUEST` of linux/netlink.h
    /// and linux/sock_diag.h.
    private static let diagnosis: CInt = 4
    fileprivate static let byFamily: UInt16 = 20
    fileprivate static let request: UInt16 = 1
    /// Where an answer says of what type it is, and what its socket has not read: `idiag_rqueue`.
    private static let typePlace = 4
    private static let unreadPlace = 72
    private static let answerSize = 512

    package init() {
        let type = SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = CLibrary.socket(AF_NETLINK, CInt(type), Self.diagnosis)
    }

    deinit { if descriptor >= 0 { CLibrary.close(descriptor) } }

    /// A socket that the kernel may know.
    package struct Question {
        fileprivate let bytes: [UInt8]

        /// - Parameters:
        ///   - socket: its own address.
        ///   - peer: the address that it is connected to.
        package init?(about socket: SocketAddress, connectedTo peer: SocketAddress) {
            guard let own = Self.place(socket), let other = Self.place(peer) else { return nil }
            var body: [UInt8] = [UInt8(own.family), UInt8(IPPROTO_TCP), 0, 0]
            Self.append(UInt32.max, to: &body)
            Self.append(own.port.bigEndian, to: &body)
            Self.append(other.port.bigEndian, to: &body)
            body += own.address + other.address
            // Any interface, and no cookie.
            for word in [0, UInt32.max, UInt32.max] { Self.append(word, to: &body) }
            var bytes: [UInt8] = []
            Self.append(UInt32(16 + body.count), to: &bytes)
            Self.append(SocketDiagnosis.byFamily, to: &bytes)
            Self.append(SocketDiagnosis.request, to: &bytes)
            for word in [UInt32(1), 0] { Self.append(word, to: &bytes) }
            self.bytes = bytes + body
        }

        private static func place(
            _ address: SocketAddress
        ) -> (family: CInt, address: [UInt8], port: UInt16)? {
            switch address {
            case .ipv4(let number, let port):
                var bytes: [UInt8] = []
                append(number.bigEndian, to: &bytes)
                return (AF_INET, bytes + Array(repeating: 0, count: 12), port)
            case .ipv6(let bytes, let port, _): return (AF_INET6, bytes, port)
            case .unix: return nil
            }
        }

        private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
            var value = value
            unsafe withUnsafeBytes(of: &value) { unsafe bytes.append(contentsOf: $0) }
        }
    }

    /// Bytes that a socket's kernel has taken and its application has not read; nil if the socket is
    /// not on this machine, or in another network namespace.
    package func unreadBytes(_ question: Question) -> Int? {
        guard descriptor >= 0 else { return nil }
        let sent = unsafe question.bytes.withUnsafeBytes {
            unsafe CLibrary.send(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard sent == question.bytes.count else { return nil }
        return unsafe withUnsafeTemporaryAllocation(byteCount: Self.answerSize, alignment: 8) {
            answer in
            let count = unsafe recv(descriptor, answer.baseAddress, answer.count, 0)
            guard count >= Self.unreadPlace + 4,
                unsafe answer.load(fromByteOffset: Self.typePlace, as: UInt16.self) == Self.byFamily
            else { return nil }
            return Int(unsafe answer.load(fromByteOffset: Self.unreadPlace, as: UInt32.self))
        }
    }
}
