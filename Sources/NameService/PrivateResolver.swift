package import SystemIO

/// Starts a command whose resolver is this program.
///
/// The command runs in a private mount namespace, in which `/etc/resolv.conf` names this server. No
/// other process sees that file, and it disappears with the command. Root needs nothing more; other
/// users need a user namespace around it (user_namespaces(7)), in which the command keeps its user.
package struct PrivateResolver: Hashable, Sendable {
    /// Absolute path of a folder with the files that the command sees.
    private let folder: String

    /// Where resolvers ask: `resolv.conf` names no port.
    package static let port: UInt16 = 53

    /// Makes the files that the command will see.
    ///
    /// - Parameters:
    ///   - server: where queries are taken, on port 53.
    ///   - folder: for these files alone; it goes when the command has ended.
    /// - Throws: what the system says when they cannot be written.
    package init(_ server: SocketAddress, in folder: String) throws(SystemError) {
        self.folder = folder
        let settings = "nameserver \(server.host)\n"
        try Self.make("\(folder)/resolv.conf", settings)
        if let services = Self.services { try Self.make("\(folder)/nsswitch.conf", services) }
    }

    private static func make(_ path: String, _ text: String) throws(SystemError) {
        try File(path, for: .writing, creation: .mustNotExist).write(Array(text.utf8), at: 0)
    }

    /// A `/etc/nsswitch.conf` with host names from files and name servers alone; nil where there is none.
    ///
    /// Other services, such as systemd-resolved, would not ask us.
    private static var services: String? {
        let limit = 65_536
        guard let file = try? File("/etc/nsswitch.conf", for: .reading),
            let bytes = try? file.read(at: 0, count: limit)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.filter { !$0.hasPrefix("hosts:") }.map { "\($0)\n" }.joined()
            + "hosts: files dns\n"
    }

    /// The words that start a command there.
    package func start(_ program: [String]) -> ChildProcess.Settings {
        ChildProcess.Settings("sh", ["-c", Self.script, folder] + program)
    }

    /// What a shell does whose `$0` is the folder.
    ///
    /// The last step before the command leaves a mark, so that a namespace that could not be had is told
    /// from a command that fails.
    private static let script = """
        mounts='for file in resolv.conf nsswitch.conf; do
            [ ! -e "$0/$file" ] || mount --bind "$0/$file" "/etc/$file" || exit 125
        done
        command -v "$1" >/dev/null || { : >"$0/missing"; exit 127; }
        : >"$0/entered"'
        user=$(id -u) group=$(id -g)
        if [ "$user" = 0 ]; then
            exec unshare --mount sh -c "$mounts
                exec \\"\\$@\\"" "$0" "$@"
        fi
        exec unshare --user --map-root-user --mount sh -c "$mounts
            exec unshare --user --map-user=$user --map-group=$group -- \\"\\$@\\"" "$0" "$@"
        """

    /// Why the command was not started there; nil if it was.
    ///
    /// - Parameter program: its name.
    /// - Returns: whether there is no such program at all, and the reason in words.
    package func objection(to program: String) -> (isMissing: Bool, words: String)? {
        if hasMark("missing") {
            return (true, "'\(program)': \(SystemError.noSuchFile)")
        }
        if hasMark("entered") { return nil }
        return (
            false,
            "'\(program)' was not started: the system does not allow a private resolv.conf (see above);"
                + " as root, or where user namespaces are allowed, it does"
        )
    }

    private func hasMark(_ name: String) -> Bool {
        (try? File("\(folder)/\(name)", for: .reading)) != nil
    }
}
