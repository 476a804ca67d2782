import CLibrary
import TestSupport
import Testing

@testable import SystemIO

/// What can be seen of processes from outside.
@Suite struct RunningProcessesTests {
    private let own = Int(getpid())

    @Test func `sockets, group, name and environment of this process are known`() throws {
        var listener = try ListeningSocket(on: .loopback(port: 0))
        let bound = listener.address
        let port = Int(try #require(bound?.port))
        let inode = try #require(TCPSocketRow.all(withLocalPort: port).first?.inode)
        #expect(RunningProcesses.sockets(of: own).contains(inode))
        listener.close()
        #expect(!RunningProcesses.sockets(of: own).contains(inode))
        #expect(RunningProcesses.group(of: own) == Int(getpgrp()))
        #expect(!RunningProcesses.name(of: own).isEmpty)
        let path = try #require(CurrentProcess.environment("PATH"))
        #expect(RunningProcesses.hasInEnvironment("PATH=\(path)", own))
        #expect(!RunningProcesses.hasInEnvironment("PATH=\(path)x", own))
        #expect(RunningProcesses.all.contains(own))
    }

    @Test func `children and theirs are found, and what is gone is nowhere`() throws {
        let loop = try EventLoop()
        var settings = ChildProcess.Settings("/bin/sh", ["-c", "sleep 60 & sleep 60; true"])
        settings.isDetached = true
        let child = try ChildProcess(settings, on: loop) { _ in loop.stop() }
        var found: [Int] = []
        try loop.run("both children run") {
            found = RunningProcesses.descendants(of: child.number)
            return found.count == 2
        }
        #expect(found.allSatisfy { RunningProcesses.group(of: $0) == child.number })
        #expect(RunningProcesses.descendants(of: own).contains(child.number))
        child.sendToGroup(.kill)
        loop.run()
        child.close()
        #expect(RunningProcesses.group(of: child.number) == nil)
        #expect(RunningProcesses.descendants(of: child.number).isEmpty)
    }
}
