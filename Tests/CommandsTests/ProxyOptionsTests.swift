import Basics
import Proxy
import Testing

@testable import Arguments
@testable import Commands

@Suite struct ProxyOptionsTests {
    private func options(_ arguments: String...) throws -> ProxyOptions {
        try options(arguments)
    }

    private func options(_ arguments: [String]) throws -> ProxyOptions {
        try ProxyOptions(ArgumentParser.parse(["proxy"] + arguments) { _ in nil })
    }

    @Test func `without addresses it listens on a free port of loopback`() throws {
        let options = try options()
        #expect(options.listens == [.tcp(host: "127.0.0.1", port: 0)])
        #expect(options.upstreams.isEmpty)
        #expect(options.profileReference == "none")
    }

    @Test func `a tunnel that nobody wants to look into passes as it is`() throws {
        let console = Console(refusesColour: true)
        #expect(try options("--forward").tls.configuration(console) == nil)
        #expect(try options("--forward", "--tls", "passthrough").tls.configuration(console) == nil)
    }

    @Test func `several upstreams get a free port each`() throws {
        let options = try options("--upstream", "a:1", "--upstream", "b:2")
        #expect(options.listens.count == 2)
        #expect(
            options.upstreams.map(\.endpoint) == [
                .tcp(host: "a", port: 1), .tcp(host: "b", port: 2),
            ]
        )
    }

    @Test func `a further proxy is what control would be asked for`() throws {
        let options = try options(
            "--proxies",
            "api={upstream: 127.0.0.1:9001, profile: edge, set: {delay: 80ms, loss: {burst: {loss: 2%, mean: 4packets}}}, fault: 'c1:down+9=rst', seed: 7}"
        )
        #expect(
            options.further.map(\.document.text) == [
                #"{"name":"api","upstream":"127.0.0.1:9001","profile":"edge","#
                    + #""settings":{"delay":"80ms","loss":"{burst: {loss: 2%, mean: 4packets}}"},"#
                    + #""faults":["c1:down+9=rst"],"seed":7}"#
            ]
        )
    }

    @Test(arguments: [
        ("api", "write NAME="), ("api=lte", "expected a mapping"),
        ("api={upsteam: a:1}", "unknown key 'upsteam'; did you mean 'upstream'?"),
    ])
    func `a further proxy that cannot be read is refused with its name`(
        text: String,
        words: String
    ) throws {
        let failure = #expect(throws: Failure.self) { try options("--proxies", text) }
        #expect(failure?.code == .usage && failure?.message.contains(words) == true)
    }

    @Test(arguments: [["api", "api"], ["default"]])
    func `no name is given to two proxies`(names: [String]) throws {
        let arguments = names.flatMap { ["--proxies", "\($0)={upstream: 127.0.0.1:9001}"] }
        let failure = #expect(throws: Failure.self) { try options(arguments) }
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains("\(names[0]): there is a proxy of this name") == true)
    }

    @Test func `one upstream serves all listeners`() throws {
        let options = try options(
            "--listen",
            "127.0.0.1:1",
            "--listen",
            "[::1]:2",
            "--upstream",
            "a:1"
        )
        #expect(options.upstreams.count == 2)
    }

    @Test func `times are milliseconds and never zero`() throws {
        #expect(try options("--duration", "1.5s").durationMilliseconds == 1_500)
        #expect(try options("--duration", "10us").durationMilliseconds == 1)
        #expect(try options().durationMilliseconds == nil)
    }

    @Test func `waiting bytes have a limit between a mebibyte and a tebibyte`() throws {
        #expect(try options().maximumMemoryBytes == nil)
        #expect(try options("--max-memory", "1MiB").maximumMemoryBytes == 1 << 20)
        #expect(try options("--max-memory", "1TiB").maximumMemoryBytes == 1 << 40)
        for text in ["1MB", "2TiB", "7", "0B"] {
            #expect(throws: Failure.self) { try options("--max-memory", text) }
        }
    }

    @Test func `options that exclude each other are refused`() {
        #expect(throws: Failure.self) { try options("--live", "--json") }
        #expect(throws: Failure.self) { try options("--live", "-q") }
        #expect(throws: Failure.self) { try options("--ready-fd", "2") }
    }
}
