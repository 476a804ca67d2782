extension ServerPorts {
    /// Where the system's own range begins: not known.
    static var firstOfSystem: Int? { nil }
}
