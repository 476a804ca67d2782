import Basics
import DNS
import Exploration
import Faults
import LinkProfile
import Proxy
import SystemIO
import Testing
import Trials

@testable import Arguments
@testable import Commands

/// The name server beside a proxy, as options ask for it.
@Suite struct LookupOptionsTests {
    private func run(_ arguments: [String]) throws(Failure) -> RunOptions {
        let invocation = try ArgumentParser.parse(arguments) { _ in nil }
        return try RunOptions(invocation, currentDirectory: "/home")
    }

    @Test func `without --dns nobody answers lookups`() throws {
        #expect(try run(["run", "true"]).lookups == nil)
    }

    @Test func `names, another server and the host of --upstream are known`() throws {
        let options = try run([
            "run", "--dns", "--name", "a.test=127.0.0.1,::1", "--name", "*.b=::1",
            "--dns-upstream", "9.9.9.9", "--upstream", "https://api.example.com", "true",
        ])
        let lookups = try #require(options.lookups)
        #expect(lookups.names.map(\.canonicalText) == ["a.test=127.0.0.1,::1", "*.b=::1"])
        #expect(lookups.upstream?.description == "9.9.9.9:53")
        #expect(lookups.proxied == ["api.example.com"])
        #expect(lookups.isPrivate && lookups.listen == nil)
    }

    @Test(arguments: [
        (["--", "curl", "x"], true), (["--", "sh", "-c", "ask {dns}"], false),
        (["--dns-listen", "127.0.0.3:53", "--", "true"], true),
        (["--dns-listen", "127.0.0.3:5353", "--", "true"], false), ([], false),
    ])
    func `a command asks it alone unless it is told where it is, or cannot be`(
        words: [String],
        isPrivate: Bool
    ) throws {
        for command in [["run"], ["replay", "lc1"]] {
            #expect(try run(command + ["--dns"] + words).lookups?.isPrivate == isPrivate)
        }
    }

    @Test func `that a command has to find it by itself is told`() throws {
        let silent = ["run", "--dns", "--dns-listen", "127.0.0.3:5353", "--", "x"]
        func note(_ arguments: [String]) throws -> String? {
            let options = try run(arguments)
            return LookupOptions.note(options.lookups, program: options.program)
        }
        #expect(try note(silent)?.contains("at port 5353 only if it reads LINKCOND_DNS") == true)
        #expect(try note(silent + ["{dns}"]) == nil)
        #expect(try note(["run", "--dns", "x"]) == nil)
    }

    @Test(arguments: [
        (["--name", "a.test=::1"], "--name: is for the name server; give --dns, too"),
        (["--dns-upstream", "9.9.9.9"], "--dns-upstream: is for the name server; give --dns, too"),
        (["--dns", "--name", "a.test"], "--name: 'a.test', column 7: expected '=' and an address"),
        (["--dns", "--dns-upstream", "x"], "--dns-upstream: 'x': give the address of a name"),
        (["--dns", "--dns-listen", "192.0.2.1:53"], "can be reached by other machines"),
        (["--dns", "--dns-listen", "unix:/x"], "give an address of this machine"),
        (["--dns", "--fault", "A(x)#1=servfial"], "column 8: unknown effect 'servfial'"),
    ])
    func `what makes no sense is refused with advice`(arguments: [String], words: String) throws {
        for command in ["run", "explore", "proxy"] {
            let error = try #require(throws: Failure.self) {
                let program = command == "proxy" ? [] : ["--", "true"]
                let invocation = try ArgumentParser.parse([command] + arguments + program) { _ in
                    nil
                }
                switch command {
                case "run": _ = try RunOptions(invocation, currentDirectory: "/")
                case "proxy": _ = try ProxyOptions(invocation)
                default:
                    _ = try ExploreOptions(
                        invocation,
                        currentDirectory: "/",
                        environment: { _ in nil }
                    )
                }
            }
            #expect(error.message.contains(words), "\(command): \(error.message)")
        }
    }

    @Test func `an exploration has faults of lookups in every run, and tries them`() throws {
        func options(_ arguments: [String]) throws(Failure) -> ExploreOptions {
            let invocation = try ArgumentParser.parse(["explore"] + arguments) { _ in nil }
            return try ExploreOptions(invocation, currentDirectory: "/", environment: { _ in nil })
        }
        let found = try options(["--dns", "--fault", "A(x)#1=servfail", "true"])
        #expect(found.faults.map(\.canonicalText) == ["A(x)#1=servfail"])
        #expect(found.campaign.effects == Effect.Kind.standard)
        #expect(try options(["--dns", "--effects", "dns", "true"]).campaign.effects == [.query])
        for (arguments, words) in [
            (["--effects", "dns", "true"], "'dns' is of name lookups; give --dns, too"),
            (["--dns", "--fault", "c1:down+1=rst", "true"], "is what explore tries by itself"),
        ] {
            let error = try #require(throws: Failure.self) { _ = try options(arguments) }
            #expect(error.message.contains(words), "\(error.message)")
        }
    }

    @Test func `servers' names lead to the listeners in front of them`() throws {
        let invocation = try ArgumentParser.parse(
            [
                "proxy", "--dns", "--name", "c.test=::1", "--upstream", "a.test:1", "--upstream",
                "b.test:2", "--upstream", "c.test:3", "--upstream", "127.0.0.1:4", "--listen",
                "127.0.0.1:0", "--listen", "127.0.0.2:0", "--listen", "[::1]:0", "--listen",
                "127.0.0.4:0",
            ]
        ) { _ in nil }
        let options = try ProxyOptions(invocation)
        let routes = zip(options.listens, options.upstreams).map {
            RunDescription.Route(listen: $0, upstream: $1.endpoint)
        }
        var description = RunDescription(
            profile: Profile(name: "none"),
            seed: 7,
            faults: [],
            routes: routes,
            reproduction: options.repeated.line(faults: [], seed: 7)
        )
        description.leadNames(by: options.lookups)
        #expect(
            description.lookups?.names.map(\.canonicalText)
                == ["c.test=::1", "a.test=127.0.0.1", "b.test=127.0.0.2"]
        )
        description.lookups?.address = .loopback(port: 5_353)
        #expect(
            description.lookupLines
                == ["dns 127.0.0.1:5353, c.test=::1, a.test=127.0.0.1, b.test=127.0.0.2"]
        )
        #expect(description.reproduction.hasSuffix(" --name c.test=::1 --dns --seed 7"))
        #expect(description.json.text.contains(#""dns":{"listen":"127.0.0.1:5353","host":"127.0"#))
    }

    @Test func `queries are summed up by whose answer they got`() {
        var tally = QueryTally()
        #expect(tally.words == "0")
        for source in [QueryReport.Source.name, .fault, .name, .none] { tally.add(source) }
        #expect(tally.words == "4: 2 from names, 1 by faults, 1 refused")
        #expect(tally.json.text == #"{"name":2,"upstream":0,"fault":1,"none":1}"#)
    }
}
