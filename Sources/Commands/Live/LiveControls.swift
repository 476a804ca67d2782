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

    private static let filterLength = 64

    /// Takes a key.
    ///
    /// - Returns: what is to be done; nil if the key changed at most what is shown.
    mutating func press(_ key: LiveKey) -> LiveCommand? {
        switch mode {
        case .view: return pressInView(key)
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
    mutating func offer(profiles names: [String], current: String) {
        mode = .profiles(ProfileChoice(names: names, current: current))
    }

    private mutating func pressInView(_ key: LiveKey) -> LiveCommand? {
        switch key {
        case .character(UInt8(ascii: "?")): mode = .help
        case .character(UInt8(ascii: "/")): mode = .filter
        case .character(let byte): return LiveCommand(byte)
        case .escape: filter = ""
        case .enter, .backspace, .up, .down: break
        }
        return nil
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
    let names: [String]
    let current: String
    private(set) var typed = ""
    /// Among `matches`.
    private(set) var selected = 0

    init(names: [String], current: String) {
        self.names = names
        self.current = current
        selected = names.firstIndex(of: current) ?? 0
    }

    /// The names that have what was typed in them.
    var matches: [String] {
        typed.isEmpty ? names : names.filter { Self.holds($0, typed) }
    }

    /// Takes a key.
    ///
    /// - Returns: nil while the choice goes on; then the name, or a nil inside for none.
    mutating func press(_ key: LiveKey) -> String?? {
        let matches = matches
        switch key {
        case .escape: return .some(nil)
        case .enter: return .some(matches.indices.contains(selected) ? matches[selected] : nil)
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

    private static func holds(_ name: String, _ text: String) -> Bool {
        name.lowercased().contains(text.lowercased())
    }
}
