internal import Basics

/// What the keys of the live view mean at the moment: they act, choose a profile, or are text.
struct LiveControls: Hashable, Sendable {
    enum Mode: Hashable, Sendable {
        case view
        case help
        /// A filter is typed.
        case filter
        case profiles(ProfileChoice)
    }

    private(set) var mode = Mode.view
    /// Only connections with this text are shown; empty for all.
    private(set) var filter = ""

    /// The name of the connection that actions are for; nil for none in particular.
    private(set) var chosen: String?

    private static let filterLength = 64

    /// Which connections an action is for.
    enum Target: Hashable, Sendable {
        case all
        /// By name; none if the one that was chosen has ended, or the filter has none.
        case these([String])
    }

    /// Which connections an action is for.
    ///
    /// - Parameter names: those that are shown, all that the filter leaves.
    /// - Returns: the chosen one, else those of the filter, else all.
    func target(among names: [String]) -> Target {
        if let chosen { return .these(names.contains(chosen) ? [chosen] : []) }
        return filter.isEmpty ? .all : .these(names)
    }

    /// Takes a key.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - names: connections that arrows walk along, as they are shown.
    /// - Returns: what is to be done; nil if the key changed at most what is shown.
    mutating func press(_ key: LiveKey, connections names: [String] = []) -> LiveCommand? {
        switch mode {
        case .view: return pressInView(key, names)
        case .help:
            mode = .view
            // Whoever wants to leave need not close the help first.
            return key == .character(UInt8(ascii: "q")) ? .quit : nil
        case .filter:
            pressInFilter(key)
            return nil
        case .profiles(var choice):
            guard let end = choice.press(key) else {
                mode = .profiles(choice)
                return nil
            }
            mode = .view
            return end.map { .profile($0) }
        }
    }

    /// Shows profiles to choose from.
    mutating func offer(profiles: [LiveProfile], current: String) {
        mode = .profiles(ProfileChoice(profiles, current: current))
    }

    private mutating func pressInView(_ key: LiveKey, _ names: [String]) -> LiveCommand? {
        switch key {
        case .character(UInt8(ascii: "?")): mode = .help
        case .character(UInt8(ascii: "/")): mode = .filter
        case .character(let byte): return LiveCommand(byte)
        // What was chosen last is given up first.
        case .escape: if chosen != nil { chosen = nil } else { filter = "" }
        case .up: walk(-1, names)
        case .down: walk(1, names)
        case .enter, .backspace: break
        }
        return nil
    }

    /// Chooses the connection before or after; at first the first or the last one.
    private mutating func walk(_ step: Int, _ names: [String]) {
        guard !names.isEmpty else {
            chosen = nil
            return
        }
        guard let chosen, let place = names.firstIndex(of: chosen) else {
            self.chosen = step > 0 ? names.first : names.last
            return
        }
        self.chosen = names[max(0, min(names.count - 1, place + step))]
    }

    private mutating func pressInFilter(_ key: LiveKey) {
        switch key {
        case .character(let byte):
            if filter.utf8.count < Self.filterLength { filter.unicodeScalars.append(.init(byte)) }
        case .backspace: filter = String(filter.dropLast())
        case .enter: mode = .view
        case .escape:
            filter = ""
            mode = .view
        case .up, .down: break
        }
    }
}

/// A list of profiles that is narrowed by typing.
struct ProfileChoice: Hashable, Sendable {
    let profiles: [LiveProfile]
    let current: String
    private(set) var typed = ""
    /// Among `matches`.
    private(set) var selected = 0

    init(_ profiles: [LiveProfile], current: String) {
        self.profiles = profiles
        self.current = current
        selected = profiles.firstIndex { $0.name == current } ?? 0
    }

    /// The profiles that have every word that was typed in them.
    var matches: [LiveProfile] {
        typed.isEmpty ? profiles : profiles.filter { $0.shows(typed) }
    }

    /// Takes a key.
    ///
    /// - Returns: nil while the choice goes on; then the name, or a nil inside for none.
    mutating func press(_ key: LiveKey) -> String?? {
        let matches = matches
        switch key {
        case .escape: return .some(nil)
        case .enter: return .some(matches.indices.contains(selected) ? matches[selected].name : nil)
        case .up: selected = max(0, selected - 1)
        case .down: selected = max(0, min(matches.count - 1, selected + 1))
        case .backspace: narrow(String(typed.dropLast()))
        case .character(let byte):
            narrow(typed + String(decoding: CollectionOfOne(byte), as: UTF8.self))
        }
        return nil
    }

    private mutating func narrow(_ text: String) {
        typed = text
        selected = 0
    }
}
