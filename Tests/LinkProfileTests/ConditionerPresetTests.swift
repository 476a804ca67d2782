import Basics
import LinkProfile
import Profiles
import Testing

/// Presets of Apple's Network Link Conditioner, and Apple's names for profiles.
@Suite struct ConditionerPresetTests {
    private func read(_ text: String) throws -> [ConditionerPreset] {
        try ConditionerPresets.read(Array(text.utf8), file: "presets.plist")
    }

    private func mistakes(_ text: String) -> [String] {
        do throws(ProfileError) {
            _ = try ConditionerPresets.read(Array(text.utf8), file: "p.plist")
            return []
        } catch {
            return error.lines
        }
    }

    private static func list(_ content: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        \(content)
        </plist>
        """
    }

    private static func preset(_ content: String) -> String {
        list("<dict><key>My Net</key><dict>\n\(content)\n</dict></dict>")
    }

    @Test
    func `a preset becomes a profile of the same figures`() throws {
        let presets = try read(
            Self.list(
                """
                <dict>
                  <key>SelectedProfile</key><string>Edge &amp; co</string>
                  <key>TimeAtLastRun</key><integer>1700000000</integer>
                  <key>Profiles</key>
                  <dict>
                    <key>Edge &amp; co</key>
                    <dict>
                      <key>DNSDelayValue</key><real>3000</real>
                      <key>DownlinkBandwidth</key><real>1.5</real>
                      <key>DownlinkBandwidthUnit</key><integer>1</integer>
                      <key>DownlinkDelay</key><real>400</real>
                      <key>DownlinkPacketLossRatio</key><real>0.10000000149011612</real>
                      <key>ExcludeLoopback</key><true/>
                      <key>ProtocolFamily</key><integer>0</integer>
                      <key>RunOnInterface</key><string>All</string>
                      <key>UplinkBandwidth</key><real>200</real>
                      <key>UplinkBandwidthUnit</key><integer>0</integer>
                      <key>UplinkDelay</key><real>440.5</real>
                      <key>UplinkPacketLossRatio</key><real>0</real>
                    </dict>
                  </dict>
                </dict>
                """
            )
        )
        let preset = try #require(presets.first)
        #expect(presets.count == 1)
        #expect(preset.title == "Edge & co")
        #expect(preset.name == "edge-co")
        #expect(preset.notes.isEmpty)
        #expect(
            preset.yaml == """
                # Source: Apple Network Link Conditioner, a preset that was imported.
                name: "edge-co"
                summary: "Edge & co"
                source: Apple Network Link Conditioner
                confirmed: yes
                link:
                  down: {rate: 1.5Mbit/s, delay: 400ms, loss: 0.1%}
                  up: {rate: 200kbit/s, delay: 440.5ms}
                dns: {delay: 3s}

                """
        )
    }

    @Test
    func `a binary list says the same as XML`() throws {
        let hexadecimal = """
            62706c6973743030d101025850726f66696c6573d10304564d79204e6574d605060708090a0b0c0d0e0f
            105f1011446f776e6c696e6b42616e6477696474685f1015446f776e6c696e6b42616e64776964746855
            6e69745d446f776e6c696e6b44656c61795f100f4578636c7564654c6f6f706261636b5e52756e4f6e49
            6e746572666163655f101555706c696e6b5061636b65744c6f7373526174696f233ff800000000000010
            0110140965005700e40072006d0065233fb999999999999a080b14171e2b3f576577869ea7a9abacb700
            000000000001010000000000000011000000000000000000000000000000c0
            """.filter { !$0.isWhitespace }
        let bytes = try #require(HexadecimalText.decode(hexadecimal))
        let binary = try ConditionerPresets.read(bytes, file: "presets.plist")
        let text = Self.preset(
            """
            <key>DownlinkBandwidth</key><real>1.5</real>
            <key>DownlinkBandwidthUnit</key><integer>1</integer>
            <key>DownlinkDelay</key><integer>20</integer>
            <key>ExcludeLoopback</key><true/>
            <key>RunOnInterface</key><string>W&#xe4;rme</string>
            <key>UplinkPacketLossRatio</key><real>0.1</real>
            """
        )
        #expect(try read(text) == binary)
        #expect(
            binary.first?.notes == [
                "RunOnInterface Wärme: linkcond acts on what is sent through it"
            ]
        )
    }

    @Test
    func `a preset alone is called like its file`() throws {
        let text = Self.list("<dict><key>UplinkDelay</key><integer>7</integer></dict>")
        let presets = try ConditionerPresets.read(Array(text.utf8), file: "a/My Net.plist")
        #expect(presets.map(\.name) == ["my-net"])
        #expect(presets.first?.yaml.contains("  up: {delay: 7ms}\n") == true)
    }

    @Test
    func `no rate is no limit, and a loss of 100 % lets nothing through`() throws {
        let text = Self.preset(
            "<key>DownlinkBandwidth</key><real>0</real><key>DownlinkPacketLossRatio</key><real>100</real>"
        )
        #expect(try read(text).first?.yaml.contains("  down: {delay: 0s, loss: 100%}\n") == true)
    }

    @Test(arguments: [
        (
            "<key>DownlinkDealy</key><real>1</real>",
            "p.plist:5:1: error: My Net: unknown key 'DownlinkDealy'; did you mean 'DownlinkDelay'?"
        ),
        (
            "<key>UplinkDelay</key><string>much</string>",
            "p.plist:5:23: error: My Net: UplinkDelay must be a number, 0 to 3600000"
        ),
        (
            "<key>UplinkPacketLossRatio</key><real>100.5</real>",
            "p.plist:5:33: error: My Net: UplinkPacketLossRatio must be a number, 0 to 100"
        ),
        (
            "<key>UplinkDelay</key><real>nan</real>",
            "p.plist:5:23: error: 'nan' is not a number"
        ),
        (
            "<key>UplinkDelay</key>",
            "p.plist:6:1: error: a value is missing here"
        ),
        (
            "<key>UplinkDelay</key><real>&nbsp;</real>",
            "p.plist:5:29: error: unknown reference '&nbsp;'"
        ),
        (
            "<key>UplinkDelay</key><real>1</real><key>UplinkDelay</key><real>2</real>",
            "p.plist:5:37: error: key 'UplinkDelay' stands twice"
        ),
    ])
    func `a mistake is told with its place`(content: String, line: String) {
        #expect(mistakes(Self.preset(content)) == [line])
    }

    @Test(arguments: [
        (
            "",
            "p.plist:1:1: error: this is no property list, neither XML nor binary; `plutil -convert xml1 FILE` makes one"
        ),
        (
            "{ Profiles = {}; }",
            "p.plist:1:1: error: this is no property list, neither XML nor binary; `plutil -convert xml1 FILE` makes one"
        ),
        ("bplist00", "p.plist: error: the binary property list is cut short"),
        (list("<dict/>"), "p.plist:4:1: error: no preset of Network Link Conditioner is here"),
        (list("<array/>"), "p.plist:4:1: error: no preset of Network Link Conditioner is here"),
        (
            list("<dict><key>a</key><true/></dict>"),
            "p.plist:4:19: error: preset 'a' must be a dictionary"
        ),
    ])
    func `what is no list of presets is refused`(text: String, line: String) {
        // The place of a preset is that of its key.
        #expect(mistakes(text) == [line.replacing("4:19", with: "4:7")])
    }

    @Test
    func `a list that is cut short anywhere is refused`() {
        let text = Self.preset("<key>UplinkDelay</key><real>1</real>")
        for length in 0..<text.utf8.count {
            #expect(!mistakes(String(text.prefix(length))).isEmpty, "\(length)")
        }
    }

    @Test
    func `lists inside one another have a limit`() {
        let deep = String(repeating: "<array>", count: 100_000)
        #expect(mistakes(Self.list(deep)).first?.contains("too deep") == true)
    }

    @Test(arguments: [
        ("Very Bad Network", "very-bad-network"), ("LTE", "lte"), ("Wi-Fi 802.11ac", "wifi-ac"),
        ("Wi-Fi", "wifi"), ("WiFi", "wifi"), ("3G", "3g"), ("Edge", "edge"), ("DSL", "dsl"),
        ("100% Loss", "100-loss"), ("High Latency DNS", "high-latency-dns"),
        ("3G, Average Case", "3g"), ("3G, Good Connectivity", "3g-good"),
        ("3G, Lossy Network", "lossy"), ("Edge, Average Case", "edge"),
        ("Edge, Good Connectivity", "edge-good"), ("Edge, Lossy Network", "edge-lossy"),
        ("Wifi, Average Case", "wifi"), ("Wifi, Good Connectivity", "wifi-good"),
        ("Wifi, Lossy Network", "wifi-lossy"), ("Cable Modem", "cable"),
    ])
    func `Apple's name of a preset is a name of its profile`(title: String, name: String) throws {
        #expect(try library().load(title).name == name)
    }
}
