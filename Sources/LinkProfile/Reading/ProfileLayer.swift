import Basics
import Faults
import LinkEngine

/// What one text says about a profile; nil is what it leaves open.
///
/// A profile is a pile of layers: its ancestors, itself, and one for each setting of the command
/// line. The uppermost layer that says something wins, value by value and direction by direction;
/// forms that exclude one another (a rate and a trace, kinds of loss) count as one value.
struct ProfileLayer {
    var name: String?
    var summary: String?
    var kind: Profile.Kind?
    var source: String?
    var isConfirmed: Bool?
    var down = SectionLayer<PathDraft>()
    var up = SectionLayer<PathDraft>()
    var tcp = SectionLayer<TCPSettings>()
    /// What it says of the link itself.
    var link = SectionLayer<LinkSettings>()
    var crossTraffic = SectionLayer<CrossTraffic>()
    var attributes = SectionLayer<PathAttributes>()
    var budget = SectionLayer<DataBudget>()
    /// How long it takes.
    var nameLookup = SectionLayer<Duration>()
    /// The whole list: a child's faults replace its parent's.
    var faults: [Fault]?
    /// The whole list, too.
    var handovers: [HandoverLayer]?

    mutating func cover(with upper: ProfileLayer) {
        name = upper.name ?? name
        summary = upper.summary ?? summary
        kind = upper.kind ?? kind
        source = upper.source ?? source
        isConfirmed = upper.isConfirmed ?? isConfirmed
        down.cover(with: upper.down)
        up.cover(with: upper.up)
        tcp.cover(with: upper.tcp)
        link.cover(with: upper.link)
        crossTraffic.cover(with: upper.crossTraffic)
        attributes.cover(with: upper.attributes)
        budget.cover(with: upper.budget)
        nameLookup.cover(with: upper.nameLookup)
        faults = upper.faults ?? faults
        handovers = upper.handovers ?? handovers
    }
}
