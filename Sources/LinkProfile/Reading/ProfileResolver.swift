import Basics
import LinkEngine
internal import YAML

/// One pass from texts to a profile.
///
/// Collects mistakes and stops after each stage that had any.
struct ProfileResolver {
    private let library: ProfileLibrary
    /// Whether another profile hands over to this one.
    private let isTarget: Bool
    private var diagnostics = Diagnostics()

    init(library: ProfileLibrary, isTarget: Bool = false) {
        self.library = library
        self.isTarget = isTarget
    }

    mutating func resolve(
        _ text: ProfileText,
        settings: [ProfileSetting]
    ) throws(ProfileError) -> Profile {
        let roots = try lineage(of: text)
        var parameters = ParameterResolver(roots: roots, &diagnostics)
        let paths = settings.filter { !parameters.take($0, &diagnostics) }
        for setting in paths where !setting.isGeneral {
            let message = setting.unknownKey(parameters: parameters.names)
            diagnostics.report(message, at: setting.place)
        }
        try diagnostics.throwIfAny()

        let filled = roots.map { parameters.substitute(in: $0, &diagnostics) }
        try diagnostics.throwIfAny()

        var layer = ProfileLayer()
        for root in filled {
            // What a profile is called and like is not what its parent is called and like.
            layer.name = nil
            layer.summary = nil
            layer.kind = nil
            layer.cover(with: diagnostics.layer(root))
        }
        for setting in paths {
            guard let root = setting.root(&diagnostics) else { continue }
            layer.cover(with: diagnostics.layer(root))
        }
        try diagnostics.throwIfAny()

        let profile = profile(layer, parameters.resolved, text)
        try diagnostics.throwIfAny()
        return profile
    }

    /// The profile's own tree after those of its ancestors, the oldest first.
    private mutating func lineage(of text: ProfileText) throws(ProfileError) -> [Node] {
        var roots: [Node] = []
        var files: [String] = []
        var next: ProfileText? = text
        while let current = next {
            files.append(current.file)
            let root = readYAML(current.bytes, file: .file(current.file), into: &diagnostics)
            try diagnostics.throwIfAny()
            guard let root else { break }
            roots.insert(root, at: 0)
            next = parent(of: root, file: current.file, lineage: files)
            try diagnostics.throwIfAny()
        }
        return roots
    }

    private mutating func parent(
        of root: Node,
        file: String,
        lineage: [String]
    ) -> ProfileText? {
        guard let node = root[ProfileKey.extends.rawValue],
            let reference = diagnostics.scalar(node, expected: "the name of a profile")
        else { return nil }
        guard lineage.count <= ProfileLimits.ancestors else {
            let limit = ProfileLimits.ancestors
            diagnostics.report("more than \(limit) profiles extend one another", at: node.place)
            return nil
        }
        do throws(ProfileError) {
            let parent = try library.text(of: reference, from: file)
            let place = ProfileLibrary.plainPath(parent.file)
            guard !lineage.contains(where: { ProfileLibrary.plainPath($0) == place }) else {
                let circle = (lineage + [parent.file]).joined(separator: " > ")
                diagnostics.report(
                    "profiles extend one another in a circle: \(circle)",
                    at: node.place
                )
                return nil
            }
            return parent
        } catch {
            diagnostics.report(error.lines.joined(separator: "; "), at: node.place)
            return nil
        }
    }

    private mutating func profile(
        _ layer: ProfileLayer,
        _ parameters: [ParameterValue],
        _ text: ProfileText
    ) -> Profile {
        var profile = Profile(name: layer.name ?? Self.name(ofFile: text.file))
        profile.summary = layer.summary ?? ""
        profile.statedKind = layer.kind
        profile.source = layer.source ?? ""
        profile.isConfirmed = layer.isConfirmed ?? false
        profile.link.down = path(layer.down, .down, &profile.traces)
        profile.link.up = path(layer.up, .up, &profile.traces)
        profile.link.tcp = layer.tcp.applied(to: TCPSettings())
        profile.link = layer.link.applied(to: profile.link)
        for handover in layer.handovers ?? [] { add(handover, of: layer, to: &profile) }
        profile.link.crossTraffic = crossTraffic(layer.crossTraffic, on: profile.link)
        profile.path = layer.attributes.applied(to: PathAttributes())
        profile.budget = budget(layer.budget)
        profile.nameLookupDelay = layer.nameLookup.applied(to: .zero)
        profile.faults = layer.faults ?? []
        profile.parameters = parameters
        return profile
    }

    private mutating func crossTraffic(
        _ layer: SectionLayer<CrossTraffic>,
        on link: LinkSettings
    ) -> CrossTraffic? {
        guard let place = layer.place else { return nil }
        guard layer.sets(ProfileSections.crossFlows) else {
            diagnostics.report("cross-traffic needs a number of 'flows'", at: place)
            return nil
        }
        let traffic = layer.applied(to: CrossTraffic(flows: 0, direction: .down))
        let direction = traffic.direction
        let paths = [link[direction]] + link.handovers.map { $0[direction] }
        guard traffic.flows == 0 || paths.allSatisfy({ $0.capacity != .unlimited }) else {
            let word = ProfileWords.direction.word(for: direction)
            diagnostics.report("cross-traffic needs a rate or a trace for '\(word)'", at: place)
            return nil
        }
        return traffic.flows == 0 ? nil : traffic
    }

    private mutating func add(
        _ handover: HandoverLayer,
        of layer: ProfileLayer,
        to profile: inout Profile
    ) {
        var (down, up) = (layer.down, layer.up)
        down.cover(with: handover.numbers.down)
        up.cover(with: handover.numbers.up)
        var traces = TraceSources()
        var next = Handover(
            at: handover.at,
            silence: handover.silence,
            down: path(down, .down, &traces),
            up: path(up, .up, &traces)
        )
        var attributes = layer.attributes.applied(to: PathAttributes())
        if let (name, place) = handover.profile {
            guard let other = target(name, place) else { return }
            (next.down, next.up, traces) = (other.link.down, other.link.up, other.traces)
            attributes = other.path
        }
        attributes = handover.numbers.attributes.applied(to: attributes)
        // After a handover, the path is up already.
        attributes.onDemand = nil
        profile.link.handovers.append(next)
        profile.handoverTraces.append(traces)
        profile.handoverPaths.append(attributes)
    }

    /// The profile that a handover leads to.
    private mutating func target(_ name: String, _ place: Place) -> Profile? {
        guard !isTarget else {
            diagnostics.report(
                "a profile that another one hands over to has no handovers of its own",
                at: place
            )
            return nil
        }
        do throws(ProfileError) {
            var resolver = ProfileResolver(library: library, isTarget: true)
            return try resolver.resolve(library.text(of: name, from: place.file), settings: [])
        } catch {
            diagnostics.report(error.lines.joined(separator: "; "), at: place)
            return nil
        }
    }

    /// `shop.yaml` describes `shop`, unless it says otherwise.
    private static func name(ofFile file: String) -> String {
        let last = file.split(separator: "/").last ?? ""
        let base = String(last.prefix { $0 != "." })
        return isProfileName(base) ? base : "custom"
    }

    private mutating func path(
        _ layer: SectionLayer<PathDraft>,
        _ direction: Direction,
        _ traces: inout TraceSources
    ) -> PathSettings {
        let draft = layer.applied(to: PathDraft())
        var path = draft.settings
        if case .limited(let rate) = draft.rate { path.capacity = .rate(rate) }
        if let (source, place) = draft.unreadTrace, let trace = trace(source, place) {
            path.capacity = .trace(trace)
            traces[direction] = source
        }
        return path
    }

    private mutating func trace(_ source: TraceSource, _ place: Place) -> DeliveryTrace? {
        switch source {
        case .generated(let generator):
            let trace = generator.trace()
            if trace == nil {
                diagnostics.report("the trace has no opportunity at all", at: place)
            }
            return trace
        case .file(let path):
            do throws(UnreadableFile) {
                let text = try library.read(path, place.file)
                return MahimahiTrace.read(text.bytes, file: text.file, into: &diagnostics)
            } catch {
                diagnostics.report("cannot read '\(path)': \(error.reason)", at: place)
                return nil
            }
        }
    }

    private mutating func budget(_ layer: SectionLayer<DataBudget>) -> DataBudget? {
        guard let place = layer.place else { return nil }
        let budget = layer.applied(to: DataBudget())
        let (soft, hard) = (budget.softLimitBytes, budget.hardLimitBytes)
        guard soft != nil || hard != nil else {
            diagnostics.report("a budget has a 'soft' limit, a 'hard' one or both", at: place)
            return nil
        }
        if (soft == nil) != (budget.rateAfterSoftLimit == nil) {
            diagnostics.report("'soft' and 'then', the rate beyond it, go together", at: place)
        }
        if layer.sets(ProfileSections.atHardLimit), hard == nil {
            diagnostics.report("'at-hard' without a 'hard' limit", at: place)
        }
        if let soft, let hard, soft > hard {
            diagnostics.report("the soft limit is above the hard one", at: place)
        }
        return budget
    }
}

extension Place {
    /// The file that a path written here is relative to; nil on the command line.
    fileprivate var file: String? {
        switch self {
        case .file(let name, _, _), .wholeFile(let name): name
        case .setting, .option: nil
        }
    }
}
