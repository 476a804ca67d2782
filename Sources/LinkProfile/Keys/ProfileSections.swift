import Basics
import LinkEngine

/// The mappings of a profile, key by key: what is declared here is read, written, shown and set.
///
/// Those of one direction are in `ProfileSections+Direction`.
enum ProfileSections {
    static let tcp = ProfileSection<TCPSettings>(
        name: "tcp",
        what: "TCP settings",
        keys: [
            SectionKey(
                "behaviour",
                .word([("linux", .linux), ("rfc", .rfc)]),
                \.behaviour,
                help: "the sender's algorithms"
            ),
            SectionKey(
                "congestion",
                .word([("cubic", .cubic), ("reno", .reno)]),
                \.congestionControl,
                help: "its window"
            ),
            SectionKey(
                "handshake",
                .truth,
                \.handshake,
                help: "whether opening costs a round trip"
            ),
        ]
    )

    /// What holds for the link as a whole.
    static let link = ProfileSection<LinkSettings>(
        name: "link",
        what: "a link",
        keys: [
            SectionKey(
                "address",
                .word([("offset", .offset), ("packet", .packet)]),
                \.indexing,
                help: "what random decisions are indexed by"
            )
        ]
    )

    static let crossFlows = SectionKey<CrossTraffic>(
        "flows",
        .number(upTo: ProfileLimits.crossFlows),
        \.flows,
        valueWithoutSection: "0",
        help: "further TCP connections that share the link; 0 to \(ProfileLimits.crossFlows)"
    )

    static let crossTraffic = ProfileSection<CrossTraffic>(
        name: "cross-traffic",
        what: "cross traffic",
        keys: [
            crossFlows,
            SectionKey(
                "direction",
                .word(ProfileWords.direction),
                \.direction,
                help: "the direction in which they send"
            ),
        ]
    )

    static let onDemand = SectionKey<PathAttributes>(
        "on-demand",
        .time,
        optional: \.delayOnDemand,
        help: "the path comes up this long after the first connection asks for it"
    )

    static let attributes = ProfileSection<PathAttributes>(
        name: "path",
        what: "path attributes",
        keys: [
            SectionKey(
                "interface",
                .word([
                    ("wifi", .wifi), ("cellular", .cellular), ("wired", .wired), ("other", .other),
                ]),
                \.interface,
                help: "the interface that is reported"
            ),
            SectionKey("expensive", .truth, \.isExpensive, help: "reported as costing money"),
            SectionKey("constrained", .truth, \.isConstrained, help: "reported as Low Data Mode"),
            onDemand,
        ]
    )

    static let atHardLimit = SectionKey<DataBudget>(
        "at-hard",
        .word([("refuse", .refuse), ("stall", .stall)]),
        optional: \.actionAtHardLimit,
        help: "what happens there"
    )

    static let budget = ProfileSection<DataBudget>(
        name: "budget",
        what: "a data budget",
        keys: [
            SectionKey(
                "soft",
                .bytes,
                optional: \.softLimitBytes,
                help: "payload bytes after which the rate falls"
            ),
            SectionKey(
                "then",
                .rate,
                optional: \.rateAfterSoftLimit,
                help: "the rate from there on"
            ),
            SectionKey(
                "hard",
                .bytes,
                optional: \.hardLimitBytes,
                help: "payload bytes after which nothing passes"
            ),
            atHardLimit,
        ]
    )

    /// Of how long it takes.
    static let nameLookup = ProfileSection<Duration>(
        name: "dns",
        what: "name lookup",
        hints: ["latency": "write 'delay'"],
        keys: [
            SectionKey(
                "delay",
                .time,
                \.self,
                help: "before a connection opens; \(ProfileLimits.delayText)"
            )
        ]
    )
}

extension PathAttributes {
    /// A delay of zero means that the path is up from the start.
    fileprivate var delayOnDemand: Duration? {
        get { onDemand }
        set { onDemand = newValue.flatMap { $0 > .zero ? $0 : nil } }
    }
}

extension DataBudget {
    /// Nil without a hard limit.
    fileprivate var actionAtHardLimit: AtHardLimit? {
        get { hardLimitBytes == nil ? nil : atHardLimit }
        set { atHardLimit = newValue ?? .refuse }
    }
}
