import Basics
import LinkEngine
internal import YAML

/// One direction of a link as a profile has it: its trace may not have been read.
struct PathDraft: Sendable {
    enum Rate: Sendable {
        case unlimited
        case limited(BitRate)
    }

    /// Read or generated only if no upper layer replaces it.
    struct Trace: Sendable {
        var source: TraceSource
        /// Where it was given; nil for that of a whole profile.
        var place: Place?
    }

    /// Without its capacity.
    var settings = PathSettings()

    // A rate and a trace exclude one another.

    /// Nil with a trace.
    var rate: Rate? = .unlimited {
        didSet { if rate != nil { trace = nil } }
    }
    var trace: Trace? {
        didSet { if trace != nil { rate = nil } }
    }

    init() {}

    /// - Parameters:
    ///   - settings: of a whole profile.
    ///   - source: of its trace; without it a trace cannot be written.
    init(_ settings: PathSettings, _ source: TraceSource?) {
        self.settings = settings
        switch settings.capacity {
        case .unlimited: rate = .unlimited
        case .rate(let limit): rate = .limited(limit)
        case .trace: (rate, trace) = (nil, source.map { Trace(source: $0) })
        }
    }

    /// Of a text that has one, with where it stands.
    var unreadTrace: (TraceSource, Place)? {
        guard let trace, let place = trace.place else { return nil }
        return (trace.source, place)
    }
}
