import Faults
import TestSupport
import Testing

@testable import Proxy

/// Faults in datagrams where only connections are forwarded, and the reverse.
@Suite struct FlowRefusalTests {
    @Test(arguments: [
        ("u1:up#3=drop", false, "acts on datagrams, and only connections are forwarded"),
        ("u1/initial:up#1=drop", false, "acts on datagrams, and only connections are forwarded"),
        ("c1:down+9=rst", true, "acts on connections, and only datagrams are forwarded"),
        ("c1/r1:resp.body=fin", true, "acts on connections, and only datagrams are forwarded"),
        ("GET(/x)#1:resp.body=fin", true, "acts on connections, and only datagrams are forwarded"),
    ])
    func `a fault in traffic that is not forwarded is refused`(
        fault: String,
        carriesDatagrams: Bool,
        words: String
    ) throws {
        let change: (inout ProxyConfiguration) -> Void = {
            $0.routes[0].carriesDatagrams = carriesDatagrams
        }
        do {
            _ = try FlowRig(faults: [fault], configure: change)
            Issue.record("'\(fault)' is accepted")
        } catch let error as ProxyError {
            #expect(error.kind == .refused)
            #expect(error.description.hasPrefix("fault '\(fault)' \(words)"), "\(error)")
        }
        // The same, given to a proxy that runs.
        let rig = try FlowRig(configure: change)
        defer { rig.stop() }
        let late = try Fault(parsing: fault)
        #expect(throws: ProxyError.self) { _ = try rig.proxy.faults.add(late) }
    }

    @Test func `faults in both kinds of traffic act where both are forwarded`() throws {
        let rig = try FlowRig(faults: ["u1:up#1=drop", "c1:down+9=rst"]) { configuration in
            var connections = configuration.routes[0]
            connections.carriesDatagrams = false
            configuration.routes[0].sharesPort = true
            configuration.routes.insert(connections, at: 0)
        }
        defer { rig.stop() }
        let client = try rig.client()
        client.send("lost")
        client.send("kept")
        try rig.run("it is back") { client.texts == ["kept"] }
    }
}
