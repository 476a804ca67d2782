import LinkEngine
import Basics
import Faults
import HTTPWire
import Journal
import LinkProfile
import SystemIO
import Testing

@testable import Proxy

/// Servers are told what the path is like, if that is asked for.
@Suite struct HintTests {
    private func rig(isConstrained: Bool, isExpensive: Bool) throws -> Rig {
        try Rig { configuration in
            configuration.rewrites.addsHints = true
            configuration.profile.path.isConstrained = isConstrained
            configuration.profile.path.isExpensive = isExpensive
        }
    }

    private func received(_ rig: Rig, from text: String) throws -> String {
        let (client, server) = try rig.connectThrough()
        server.keepsReceived = true
        client.say(text)
        try rig.run("the request") { server.text.hasSuffix("\r\n\r\nhello") }
        return server.text
    }

    private let head = "PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"

    @Test func `a constrained path is told, and what is told is recorded`() throws {
        let rig = try rig(isConstrained: true, isExpensive: false)
        defer { rig.tearDown() }
        let added = "Save-Data: on\r\nECT: 4g\r\nRTT: 0\r\nDownlink: 10\r\n"
        #expect(try received(rig, from: head + "\r\nhello") == head + added + "\r\nhello")
        try rig.run("the record") {
            rig.records.contains { record in
                guard case .note(let id?, let text) = record else { return false }
                return id.ordinal == 1
                    && text.hasPrefix("r1: hints of \(added.utf8.count) bytes for the server: ")
            }
        }
    }

    @Test func `a path that costs nothing is not told`() throws {
        let rig = try rig(isConstrained: false, isExpensive: false)
        defer { rig.tearDown() }
        #expect(try received(rig, from: head + "\r\nhello") == head + "\r\nhello")
    }

    @Test func `another profile tells another path, on connections that are open too`() throws {
        let rig = try rig(isConstrained: false, isExpensive: true)
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.keepsReceived = true
        client.say("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        try rig.run("the request") { server.text.hasSuffix("\r\n\r\n") }
        #expect(server.text.contains("\r\nRTT: 0\r\n") && !server.text.contains("Save-Data"))
        server.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        try rig.run("the answer") { client.receivedCount > 0 }
        var profile = Profile(name: "other")
        profile.path.isConstrained = true
        profile.link.down.delay = .milliseconds(5)
        profile.link.up.delay = .milliseconds(20)
        try rig.proxy.switchProfile(profile)
        client.say("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        try rig.run("the other") { server.text.contains("/b") && server.text.hasSuffix("\r\n\r\n") }
        #expect(server.text.contains("Save-Data: on\r\nECT: 4g\r\nRTT: 25\r\n"))
    }
}
