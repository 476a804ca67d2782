import Basics
import HTTPWire
import LinkProfile
import Origin
import ResumableServer
import SystemIO
import Testing
@testable import Arguments
@testable import Commands

/// Options from files: what a file may say, and what counts more.
@Suite struct ConfigurationTests {
    private func values(_ text: String) throws -> [ConfigurationReader.Value] {
        try ConfigurationReader.read(Array(text.utf8), file: "linkcond.yaml", schema: .program)
    }

    private func invocation(
        _ arguments: [String],
        environment: [String: String] = [:],
        files: [(name: String, text: String)]
    ) throws -> Invocation {
        var invocation = try ArgumentParser.parse(arguments) { environment[$0] }
        for file in files {
            invocation.merge(
                try ConfigurationReader.read(
                    Array(file.text.utf8),
                    file: file.name,
                    schema: .program
                ),
                of: file.name
            )
        }
        return invocation
    }

    @Test func `the schema of configuration files has what the reader takes`() throws {
        let schema = ConfigurationSchema.program
        guard case .object(let root) = schema.document,
            case .object(let properties)? = root["properties"]
        else {
            Issue.record("no properties")
            return
        }
        let commands = schema.commands.map(\.name)
        #expect(properties["profile"] != nil && properties["plan"] != nil)
        for name in properties.members.map(\.key) {
            let text = commands.contains(name) ? "\(name): {}" : "\(name): {a: [b, {c: d}]}"
            let words: String
            do throws(Failure) {
                _ = try ConfigurationReader.read(Array(text.utf8), file: "f", schema: schema)
                words = ""
            } catch {
                words = error.message
            }
            #expect(!words.contains("unknown option"), "\(name)")
        }
        for option in schema.options() { #expect(properties[option.long] != nil) }
        #expect(properties["journal"] == nil, "only on the command line")
    }

    @Test func `a flag counts more than the environment, that more than files in their order`()
        throws
    {
        let files = [
            (name: "linkcond.yaml", text: "profile: a\nseed: 1\nduration: 1s\nverbose: yes"),
            (name: "/home/x/config.yaml", text: "profile: b\nduration: 2s\nlisten: [u, v]"),
        ]
        let result = try invocation(
            ["proxy", "--profile", "flag"],
            environment: ["LINKCOND_SEED": "9"],
            files: files
        )
        #expect(result.value("profile") == "flag")
        #expect(result.value("seed") == "9")
        #expect(result.value("duration") == "1s")
        #expect(result.values("listen") == ["u", "v"])
        #expect(result.has("verbose"))
        #expect(result.origin(of: "profile") == .commandLine)
        #expect(result.origin(of: "seed") == .environment("LINKCOND_SEED"))
        #expect(result.origin(of: "duration")?.description(of: "duration") == "linkcond.yaml:3:11")
        #expect(result.origin(of: "upstream") == nil)
        #expect(result.configurationFiles == ["linkcond.yaml", "/home/x/config.yaml"])
    }

    @Test func `an origin takes its own section, and nothing that is meant for the proxy`() throws {
        let text = """
            listen: [127.0.0.1:8000]
            seed: 7
            quiet: yes
            origin: {listen: [127.0.0.1:8080], ietf-versions: 6, misbehave: [503@1, drop-104], quiet: no}
            """
        let files = [(name: "linkcond.yaml", text: text)]
        let origin = try invocation(["origin", "--etag", "weak"], files: files)
        let options = try OriginOptions(origin, temporaryFolder: "/tmp")
        #expect(options.configuration.listens.map(\.description) == ["127.0.0.1:8080"])
        #expect(options.configuration.uploads.versions == [.v6])
        #expect(options.configuration.misbehaviour == "503@1; drop-104")
        #expect(options.configuration.objects.tags == .weak)
        #expect(origin.value("seed") == nil && !options.isQuiet)
        let proxy = try invocation(["proxy"], files: files)
        #expect(proxy.values("listen") == ["127.0.0.1:8000"] && proxy.value("seed") == "7")
        for key in [
            "allow-remote: yes", "access-log: x", "state: x", "ready-file: x", "ietf-version: 6",
        ] {
            #expect(throws: Failure.self) { try values("origin: {\(key)}") }
        }
        #expect(throws: Failure.self) { try values("ietf-versions: 6") }
    }

    @Test func `each key of set counts by itself, a list replaces a list`() throws {
        let files = [
            (name: "a.yaml", text: "set: {delay: 80ms, loss: {burst: {loss: 2%, mean: 4packets}}}"),
            (name: "b.yaml", text: "set: [delay=1ms, queue=64KiB]\nfault: ['c1:down+1=rst']"),
        ]
        let result = try invocation(["--set", "loss=1%", "--fault", "c2:up+1=fin"], files: files)
        #expect(
            result.values("set") == [
                "delay=1ms", "queue=64KiB", "delay=80ms",
                "loss={burst: {loss: 2%, mean: 4packets}}",
                "loss=1%",
            ]
        )
        #expect(result.values("fault") == ["c2:up+1=fin"])
        let link = try ProfileLibrary.builtinOnly()
            .load("none", settings: result.profileSettings()).settableKeys
        #expect(link.first { $0.key == "delay" }?.value == "80ms")
        #expect(link.first { $0.key == "loss" }?.value == "1%")
        #expect(link.first { $0.key == "queue" }?.value == "64KiB")
    }

    @Test func `the settings of a section join those at the top of the file`() throws {
        let file = (
            name: "c.yaml", text: "set: {delay: 80ms, queue: 64KiB}\nplan: {set: {queue: 1MiB}}"
        )
        let link = try ProfileLibrary.builtinOnly()
            .load("none", settings: invocation(["plan"], files: [file]).profileSettings())
            .settableKeys
        #expect(link.first { $0.key == "delay" }?.value == "80ms")
        #expect(link.first { $0.key == "queue" }?.value == "1MiB")
    }

    @Test func `the section of a command counts more, and only for it`() throws {
        let file = (
            name: "c.yaml", text: "seed: 1\nplan: {seed: 2, bytes: 3MB}\nproxy: {quiet: yes}"
        )
        #expect(try invocation(["plan"], files: [file]).value("seed") == "2")
        #expect(try invocation(["proxy"], files: [file]).value("seed") == "1")
        #expect(try invocation(["proxy"], files: [file]).has("quiet"))
        #expect(try !invocation(["plan"], files: [file]).has("quiet"))
    }

    @Test func `a profile's path is relative to the file`() throws {
        let file = (name: "/p/linkcond.yaml", text: "profile: ./mine.yaml")
        #expect(try invocation(["proxy"], files: [file]).value("profile") == "/p/./mine.yaml")
        let named = (name: "/p/linkcond.yaml", text: "profile: lte")
        #expect(try invocation(["proxy"], files: [named]).value("profile") == "lte")
        let routed = (name: "/p/linkcond.yaml", text: "route: ['a.test=./mine.yaml', b.test=lte]")
        #expect(
            try invocation(["proxy"], files: [routed]).values("route")
                == ["a.test=/p/./mine.yaml", "b.test=lte"]
        )
    }

    @Test(arguments: ["", "# nothing\n", "\n  \n# a\r\n"])
    func `a file without options is one`(text: String) throws {
        #expect(try values(text).isEmpty)
    }

    @Test(
        arguments: [
            "profil: lte": "1:1: error: unknown option 'profil'; did you mean 'profile'?",
            "seed: 1\nseed: 2": "2:1: error: duplicate key 'seed'; it was first given in line 1",
            "journal: x": "1:1: error: 'journal' belongs on the command line, not in a file",
            "allow-remote: yes":
                "1:1: error: 'allow-remote' belongs on the command line, not in a file",
            "verbose: maybe": "1:10: error: expected yes or no; found 'maybe'",
            "verbose: [yes]": "1:10: error: expected yes or no; found a list",
            "profile: [a]": "1:10: error: expected NAME|FILE; found a list",
            "profile:": "1:9: error: expected NAME|FILE; found nothing",
            "listen: [[a]]": "1:10: error: expected a value; found a list",
            "listen: {a: b}": "1:9: error: expected ADDRESS, or a list of them; found a mapping",
            "proxy: 3":
                "1:8: error: expected options of 'linkcond proxy' by name; found '3'",
            "plan: {listen: a}": "1:8: error: unknown option 'listen'; there are profile, set, ",
            "[a]": "1:1: error: expected options by name, like 'profile: lte'; found a list",
            "profile: &x lte":
                "1:10: error: anchors are not supported in a configuration; write the value out",
            "a: b\n---\nc: d": "2:1: error: a second document; a configuration is one document",
            "profile: {": "error: not YAML: ",
        ]
    )
    func `a mistake is told with its place`(text: String, answer: String) throws {
        let failure = try #require(throws: Failure.self) { try values(text) }
        #expect(failure.code == .configuration)
        #expect(failure.lines.first?.contains(answer) == true, "\(failure.lines)")
        #expect(failure.lines.allSatisfy { $0.hasPrefix("linkcond.yaml:") })
    }

    @Test func `a value that is refused is told where it stands`() throws {
        let cases = [
            ("seed: x", "linkcond.yaml:1:7: error: seed: 'x' is not a whole number"),
            (
                "fault: [c1:down+5=rts]",
                "linkcond.yaml:1:9: error: fault: 'c1:down+5=rts', column 11"
            ),
            ("listen: foo", "linkcond.yaml:1:9: error: listen: 'foo' has no port"),
            ("set: [delay]", "linkcond.yaml:1:7: error: set: 'delay': write KEY=VALUE"),
            ("duration: 5", "linkcond.yaml:1:11: error: duration: '5' has no unit"),
        ]
        for (text, answer) in cases {
            let invocation = try invocation(
                ["proxy"],
                files: [(name: "linkcond.yaml", text: text)]
            )
            let failure = try #require(throws: Failure.self) { try ProxyOptions(invocation) }
            #expect(failure.code == .configuration)
            #expect(failure.lines.first?.hasPrefix(answer) == true, "\(failure.lines)")
        }
    }

    @Test func `every option that files may give is in the schema once`() {
        let names = ConfigurationSchema.program.options().map(\.long)
        #expect(Set(names).count == names.count)
        #expect(names.contains("profile") && names.contains("bytes") && names.contains("listen"))
        for name in ["help", "no-config", "dry-run", "journal", "packets", "allow-remote"] {
            #expect(!names.contains(name))
            #expect(ConfigurationSchema.program.isForCommandLine(name))
        }
        // A section and an option of one name could not be told apart.
        for command in ConfigurationSchema.program.commands {
            #expect(!names.contains(command.name))
        }
    }
}
