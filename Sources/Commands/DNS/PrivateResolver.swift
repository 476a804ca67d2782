internal import Arguments
internal import Basics
internal import SystemIO

/// Starts a command whose resolver is this program.
///
/// The command runs in a private mount namespace, in which `/etc/resolv.conf` names this server. No
/// other process sees that file, and it disappears with the command. Root needs nothing more; other
/// users need a user namespace around it (user_namespaces(7)), in which the command keeps its user.
struct PrivateResolver {
    /// Where queries are taken, on port 53: `resolv.conf` names no port.
    let server: SocketAddress
    private let parent: String
    private let name: String
    private var folder: String { "\(parent)/\(name)" }

    static let port: UInt16 = 53

    /// Makes the files that the command will see.
    ///
    /// - Throws: `cannotCreate`.
    init(_ server: SocketAddress, temporaryFolder: String) throws(Failure) {
        self.server = server
        parent = temporaryFolder
        name = "linkcond-dns-\(HexadecimalText.encode(SecureRandom.bytes(8)))"
        do throws(SystemError) {
            _ = try Folder.make(folder, permissions: 0o755)
            try FileSystem.replace("\(folder)/resolv.conf", with: Array(resolverFile.utf8))
            if let services = Self.services {
                try FileSystem.replace("\(folder)/nsswitch.conf", with: Array(services.utf8))
            }
        } catch {
            throw Failure(.cannotCreate, "cannot write to '\(folder)': \(error)")
        }
    }

    private var resolverFile: String { "nameserver \(server.host)\n" }

    /// A `/etc/nsswitch.conf` with host names from files and name servers alone; nil where there is none.
    ///
    /// Other services, such as systemd-resolved, would not ask us.
    private static var services: String? {
        let limit = 65_536
        guard let bytes = try? FileSystem.read("/etc/nsswitch.conf", limit: limit) else {
            return nil
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.filter { !$0.hasPrefix("hosts:") }.map { "\($0)\n" }.joined()
            + "hosts: files dns\n"
    }

    /// The words that start a command there.
    func start(_ program: [String]) -> ChildProcess.Settings {
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
        : >"$0/entered"'
        user=$(id -u) group=$(id -g)
        if [ "$user" = 0 ]; then
            exec unshare --mount sh -c "$mounts
                exec \\"\\$@\\"" "$0" "$@"
        fi
        exec unshare --user --map-root-user --mount sh -c "$mounts
            exec unshare --user --map-user=$user --map-group=$group -- \\"\\$@\\"" "$0" "$@"
        """

    /// Whether the command was started there.
    var wasEntered: Bool { FileSystem.isFile("\(folder)/entered") }

    /// Removes the files.
    func remove() { try? Folder(parent).removeTree(name) }
}
