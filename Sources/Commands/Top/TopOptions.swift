internal import Arguments
internal import ControlAPI
internal import SystemIO

/// `linkcond top`: what its options mean.
struct TopOptions {
    /// Where control listens.
    var address: ControlAddress
    /// What it asks for; nil for a socket file.
    var token: String?
    var isJSON: Bool
    /// Whether one look is enough.
    var isOnce: Bool
    /// The proxy to begin with; nil for the run's own, or for all where none can be chosen.
    var proxy: String?

    static let addressVariable = "LINKCOND_CONTROL"
    static let tokenVariable = "LINKCOND_CONTROL_TOKEN"

    /// - Parameters:
    ///   - invocation: the command line.
    ///   - environment: reads a variable.
    ///   - read: reads a file.
    /// - Throws: what is wrong with the address, or with the file that has it.
    init(
        _ invocation: Invocation,
        environment: (String) -> String? = CurrentProcess.environment,
        read: (String) throws(SystemError) -> [UInt8] = Self.read
    ) throws(Failure) {
        isJSON = invocation.has("json")
        isOnce = invocation.has("once")
        proxy = invocation.value("proxy")
        if let proxy, !ProxyName.isValid(proxy) {
            throw Failure(.usage, "--proxy '\(proxy)': \(ProxyName.rule)")
        }
        let variable = environment(Self.addressVariable).flatMap { $0.isEmpty ? nil : $0 }
        guard let text = invocation.operands.first ?? variable else {
            throw Failure(
                .usage,
                "CONTROL is missing: give the address on the `control` line, as 127.0.0.1:9000 or"
                    + " unix:/path, or its --ready-file; \(Self.addressVariable) does the same"
            )
        }
        let source = invocation.operands.isEmpty ? Self.addressVariable : "CONTROL"
        let page = ControlAddress.page(text)
        let token =
            page?.token ?? environment(Self.tokenVariable).flatMap { $0.isEmpty ? nil : $0 }
        switch try Self.checked(
            page?.address ?? text,
            source,
            { text throws(ControlAddress.Mistake) in
                try ControlAddress.reference(text)
            }
        ) {
        case .address(let address):
            self.address = address
            self.token = token
        case .readyFile(let path):
            let file = try Self.readyFile(path, read)
            address = try Self.checked(file.control ?? "", "'\(path)', control") {
                text throws(ControlAddress.Mistake) in try ControlAddress(text)
            }
            // The file is that very run's; the variable may be another's.
            self.token = file.token ?? token
        }
        if case .unix = address { self.token = nil }
    }

    /// Reads a text; a mistake in it is told with the place that it comes from.
    private static func checked<Value>(
        _ text: String,
        _ source: String,
        _ read: (String) throws(ControlAddress.Mistake) -> Value
    ) throws(Failure) -> Value {
        do throws(ControlAddress.Mistake) {
            return try read(text)
        } catch {
            throw Failure(.usage, "\(source) '\(text)': \(error.words)")
        }
    }

    private static func read(_ path: String) throws(SystemError) -> [UInt8] {
        try FileSystem.read(path, limit: 1 << 20)
    }
}

extension TopOptions {
    private static func readyFile(
        _ path: String,
        _ read: (String) throws(SystemError) -> [UInt8]
    ) throws(Failure) -> ReadyFile {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try read(path)
        } catch {
            throw Failure(
                .inputMissing,
                "cannot read ready-file '\(path)': \(error) (an address is written as"
                    + " 127.0.0.1:PORT, http://127.0.0.1:PORT or unix:/path)"
            )
        }
        guard let file = ReadyFile(bytes) else {
            throw Failure(.configuration, "'\(path)' is not what --ready-file of linkcond writes")
        }
        guard let control = file.control, control.hasPrefix("unix:") || file.token != nil else {
            throw Failure(
                .usage,
                "the linkcond of '\(path)' has no control API; start it with --control 127.0.0.1:0"
            )
        }
        return file
    }
}
