import Foundation
import Testing

/// Presets of Apple's Network Link Conditioner become profiles that are used by name.
@Suite struct ProfileImportTests {
    /// What a Mac keeps, made by a writer of property lists that is not ours.
    private static let script = """
        import plistlib, sys
        preset = dict(DNSDelayValue=0.0, DownlinkBandwidth=1.5, DownlinkBandwidthUnit=1,
            DownlinkDelay=20.0, DownlinkPacketLossRatio=0.5, ExcludeLoopback=True,
            ProtocolFamily=0, RunOnInterface="en0", UplinkBandwidth=64.0,
            UplinkBandwidthUnit=0, UplinkDelay=30.0, UplinkPacketLossRatio=0.0)
        format = getattr(plistlib, sys.argv[1])
        with open("presets.plist", "wb") as file:
            plistlib.dump({"Profiles": {"Our Cellar": preset}}, file, fmt=format)
        """

    private func makePresets(_ format: String, in workspace: Workspace) throws {
        try workspace.write("make.py", Self.script)
        let python = try Program("/usr/bin/python3", ["make.py", format], in: workspace).wait()
        #expect(python.code == 0, "\(python.errors)")
    }

    @Test(arguments: ["FMT_XML", "FMT_BINARY"])
    func `an imported preset is used by Apple's name and by ours`(format: String) throws {
        let workspace = Workspace()
        let environment = ["XDG_CONFIG_HOME": workspace.path + "/config"]
        try makePresets(format, in: workspace)
        let outcome = try Program.run(
            ["profiles", "import", "presets.plist"],
            environment: environment,
            in: workspace
        )
        #expect(outcome.code == 0)
        #expect(
            outcome.output == """
                imported 1 profile into \(workspace.path)/config/linkcond/profiles:
                  our-cellar  Our Cellar

                """
        )
        #expect(outcome.errors.contains("warning: Our Cellar: RunOnInterface en0: "))
        for name in ["our-cellar", "Our Cellar"] {
            let shown = try Program.run(
                ["profiles", "show", name],
                environment: environment,
                in: workspace
            )
            #expect(shown.output.contains("  down: {rate: 1.5Mbit/s, delay: 20ms, loss: 0.5%}\n"))
            #expect(shown.output.contains("  up: {rate: 64kbit/s, delay: 30ms}\n"))
        }
    }

    @Test func `a profile that differs is replaced only by force`() throws {
        let workspace = Workspace()
        try makePresets("FMT_XML", in: workspace)
        let command = ["profiles", "import", "presets.plist", "--output", "mine"]
        #expect(try Program.run(command, in: workspace).code == 0)
        #expect(try Program.run(command, in: workspace).code == 0)
        try workspace.write("mine/our-cellar.yaml", "name: our-cellar\n")
        let refused = try Program.run(command, in: workspace)
        #expect(refused.code == 73)
        #expect(
            refused.errors
                == "linkcond: error: 'mine/our-cellar.yaml' exists; use --force to replace it\n"
        )
        #expect(try Program.run(command + ["--force"], in: workspace).code == 0)
        #expect(workspace.text("mine/our-cellar.yaml").contains("rate: 64kbit/s"))
    }

    @Test func `a file that is not there or no list is refused`() throws {
        let workspace = Workspace()
        let missing = try Program.run(["profiles", "import", "none.plist"], in: workspace)
        #expect(missing.code == 66)
        try workspace.write("text.plist", "{}")
        let wrong = try Program.run(["profiles", "import", "text.plist"], in: workspace)
        #expect(wrong.code == 78)
        #expect(wrong.errors.hasPrefix("text.plist:1:1: error: this is no property list"))
    }
}
