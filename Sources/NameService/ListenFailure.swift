package import SystemIO

/// Why queries cannot be taken at an address, in one line that says what to do.
package struct ListenFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let address: SocketAddress
    package let cause: SystemError
    /// What to do if the address is taken.
    private let advice: String

    init(_ address: SocketAddress, _ cause: SystemError, advice: String) {
        self.address = address
        self.cause = cause
        self.advice = advice
    }

    package var description: String {
        let remedy =
            switch cause {
            case .permissionDenied:
                "; only root may use ports below 1024 here. In a network namespace anyone may: unshare"
                    + " --user --map-root-user --net sh -c 'ip link set lo up && exec linkcond ...'"
            case .addressInUse: advice
            default: ""
            }
        return "cannot listen on \(address): \(cause)\(remedy)"
    }
}
