import Basics
import Faults
import LinkEngine
internal import YAML

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
    var down = PathLayer()
    var up = PathLayer()
    var tcp = TCPLayer()
    var indexing: PacketIndexing?
    var crossTraffic = CrossTrafficLayer()
    var attributes = AttributesLayer()
    var budget = BudgetLayer()
    var nameLookupDelay: Duration?
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
        indexing = upper.indexing ?? indexing
        crossTraffic.cover(with: upper.crossTraffic)
        attributes.cover(with: upper.attributes)
        budget.cover(with: upper.budget)
        nameLookupDelay = upper.nameLookupDelay ?? nameLookupDelay
        faults = upper.faults ?? faults
        handovers = upper.handovers ?? handovers
    }
}

/// One direction, or both while it is read.
struct PathLayer {
    enum Capacity {
        case unlimited
        case rate(BitRate)
        /// Read or generated only if no upper layer replaces it.
        case trace(TraceSource, Place)
    }

    var capacity: Capacity?
    var delay: Duration?
    var jitter: Jitter?
    var loss: LossModel?
    var queue: QueueLimit?
    var outages: Outages?

    mutating func cover(with upper: PathLayer) {
        capacity = upper.capacity ?? capacity
        delay = upper.delay ?? delay
        jitter = upper.jitter ?? jitter
        loss = upper.loss ?? loss
        queue = upper.queue ?? queue
        outages = upper.outages ?? outages
    }
}

struct TCPLayer {
    var behaviour: TCPSettings.Behaviour?
    var congestion: TCPSettings.CongestionControl?
    var handshake: Bool?

    mutating func cover(with upper: TCPLayer) {
        behaviour = upper.behaviour ?? behaviour
        congestion = upper.congestion ?? congestion
        handshake = upper.handshake ?? handshake
    }
}

struct CrossTrafficLayer {
    var flows: Int?
    var direction: Direction?
    /// Of the last layer that spoke of it, for mistakes that need the whole to be seen.
    var place: Place?

    mutating func cover(with upper: CrossTrafficLayer) {
        flows = upper.flows ?? flows
        direction = upper.direction ?? direction
        place = upper.place ?? place
    }
}

struct AttributesLayer {
    var interface: PathAttributes.Interface?
    var isExpensive: Bool?
    var isConstrained: Bool?
    var onDemand: Duration?

    init() {}

    /// Of a path that is there.
    init(_ path: PathAttributes) {
        interface = path.interface
        isExpensive = path.isExpensive
        isConstrained = path.isConstrained
    }

    mutating func cover(with upper: AttributesLayer) {
        interface = upper.interface ?? interface
        isExpensive = upper.isExpensive ?? isExpensive
        isConstrained = upper.isConstrained ?? isConstrained
        onDemand = upper.onDemand ?? onDemand
    }
}

extension PathAttributes {
    /// Of a path that is there.
    init(_ layer: AttributesLayer) {
        interface = layer.interface ?? .other
        isExpensive = layer.isExpensive ?? false
        isConstrained = layer.isConstrained ?? false
    }
}

struct BudgetLayer {
    var soft: UInt64?
    var then: BitRate?
    var hard: UInt64?
    var atHard: DataBudget.AtHardLimit?
    /// Of the last layer that spoke of a budget, for mistakes that need the whole to be seen.
    var place: Place?

    mutating func cover(with upper: BudgetLayer) {
        soft = upper.soft ?? soft
        then = upper.then ?? then
        hard = upper.hard ?? hard
        atHard = upper.atHard ?? atHard
        place = upper.place ?? place
    }
}
