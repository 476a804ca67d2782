internal import SystemIO

/// Tells the service manager how far this process is, if it wants to know.
struct ServiceNotifier {
    /// Nil outside of a service of `Type=notify`.
    private let path: String?

    init(environment: (String) -> String?) {
        path = environment("NOTIFY_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Connections are accepted; `status` is shown by `systemctl status`.
    ///
    /// - Returns: what went wrong, in words.
    func ready(_ status: String) -> String? { send("READY=1\nSTATUS=\(status)\n") }

    /// The end has begun.
    func stopping() { _ = send("STOPPING=1\n") }

    private func send(_ state: String) -> String? {
        guard let path else { return nil }
        do throws(SystemError) {
            try ServiceManager.notify(state, at: path)
            return nil
        } catch {
            return "cannot tell the service manager at NOTIFY_SOCKET '\(path)': \(error)"
        }
    }
}
