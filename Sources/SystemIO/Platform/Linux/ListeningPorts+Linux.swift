/// Who listens on this machine, asked without connecting, which a server would notice.
package enum ListeningPorts {
    /// Whether somebody listens on a TCP port, where connects to 127.0.0.1 arrive, or takes datagrams
    /// there.
    package static func contain(_ port: Int, datagrams: Bool = false) -> Bool {
        !inodes(of: port, datagrams).isEmpty
    }

    /// A process that listens and should not.
    package struct Stranger: Hashable, Sendable {
        package let number: Int
        /// Its short name, as `ps` has it.
        package let name: String
    }

    /// Somebody who listens on a port and does not belong to a program that was started.
    ///
    /// What another user's processes have open is mostly not to be seen; they are not found.
    ///
    /// - Parameters:
    ///   - port: of 127.0.0.1.
    ///   - group: the process group of the program, with the number of its first process.
    ///   - mark: `NAME=VALUE`, in the environment of those of its processes that have left the group.
    ///   - datagrams: whether the port is one for datagrams.
    /// - Returns: one of them, if there is any.
    package static func stranger(
        on port: Int,
        group: Int,
        mark: String?,
        datagrams: Bool = false
    ) -> Stranger? {
        var open = inodes(of: port, datagrams)
        // Mostly it is the first process or a child of it, which are soon found.
        open.subtract(RunningProcesses.sockets(of: group))
        for process in open.isEmpty ? [] : RunningProcesses.descendants(of: group) {
            open.subtract(RunningProcesses.sockets(of: process))
        }
        guard !open.isEmpty else { return nil }
        let holders = RunningProcesses.all.filter {
            !RunningProcesses.sockets(of: $0).isDisjoint(with: open)
        }
        return holders.first { process in
            RunningProcesses.group(of: process) != group
                && !(mark.map { RunningProcesses.hasInEnvironment($0, process) } ?? false)
        }.map { Stranger(number: $0, name: RunningProcesses.name(of: $0)) }
    }

    private static func inodes(of port: Int, _ datagrams: Bool) -> Set<UInt64> {
        Set(
            TCPSocketRow.all(withLocalPort: port, datagrams: datagrams).filter {
                $0.isListening && $0.servesLoopback
            }
            .map(\.inode)
        )
    }
}
