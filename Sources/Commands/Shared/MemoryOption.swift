internal import Arguments

extension OptionSpecification {
    /// Bytes that wait in all connections together.
    static let maximumMemory = OptionSpecification(
        long: "max-memory",
        value: ValueSpecification(name: "SIZE"),
        help: """
            Maximum amount of data to buffer for all connections together (1MiB to 1TiB). Above \
            three quarters of it, windows shrink; at the limit, each direction of a connection \
            still gets 16 KiB. Default: 512MiB.
            """,
        group: .running
    )
}

extension Invocation {
    /// The value of `--max-memory`; nil for the default.
    func maximumMemoryBytes() throws(Failure) -> UInt64? {
        guard let bytes = try byteCount("max-memory") else { return nil }
        guard bytes >= 1 << 20, bytes <= 1 << 40 else {
            throw failure("max-memory", "'\(value("max-memory") ?? "")' is not from 1MiB to 1TiB")
        }
        return bytes
    }
}
