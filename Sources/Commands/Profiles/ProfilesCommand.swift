internal import Arguments
internal import Basics
internal import LinkProfile
internal import Profiles

/// `linkcond profiles list|show|check|import`.
struct ProfilesCommand {
    let console: Console
    let catalog: ProfileCatalog

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        switch invocation.command.name {
        case "show": try show(invocation)
        case "check": try check(invocation)
        case "import": try ProfileImport(console: console, catalog: catalog).run(invocation)
        default: try list(invocation)
        }
        return .success
    }

    // MARK: list

    private func list(_ invocation: Invocation) throws(Failure) {
        let names = Profiles.all.map(\.name)
        let own = catalog.userNames
        let words = invocation.operands.map { $0.lowercased() }
        if invocation.has("names"), words.isEmpty {
            try console.write(names + own.filter { !names.contains($0) })
            return
        }
        var profiles: [Profile] = []
        for name in own.filter({ !names.contains($0) }) + names {
            let profile = try catalog.load(name)
            if words.allSatisfy(profile.searchText.contains) { profiles.append(profile) }
        }
        guard !profiles.isEmpty else {
            let shown = invocation.operands.joined(separator: " ")
            throw Failure(.usage, "no profile has '\(shown)' in it (see: linkcond profiles)")
        }
        if invocation.has("names") {
            try console.write(profiles.map(\.name))
            return
        }
        if invocation.has("json") {
            try console.write([JSONValue.array(profiles.map(ProfileJSON.value)).text])
            return
        }
        let table = ProfileTable(
            profiles: profiles,
            width: console.tableWidth,
            style: console.outputStyle
        )
        try console.write(table.lines())
    }

    // MARK: show

    /// The output is YAML: what linkcond knows stands in comments.
    private func show(_ invocation: Invocation) throws(Failure) {
        let name = invocation.operands[0]
        let settings = try invocation.profileSettings()
        let profile = try catalog.load(name, settings: settings)
        if invocation.has("json") {
            try console.write([ProfileJSON.value(profile).text])
            return
        }
        let text =
            settings.isEmpty
            ? String(decoding: try catalog.text(of: name).bytes, as: UTF8.self)
            : profile.canonicalText
        func comments(_ lines: [String]) -> [String] {
            lines.map { console.outputStyle(.faint, $0) }
        }
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map(String.init)
        if lines.last == "" { lines.removeLast() }
        try console.write(
            comments(ProfileComments.before(profile)) + lines
                + comments(ProfileComments.after(profile))
        )
    }

    // MARK: check

    private func check(_ invocation: Invocation) throws(Failure) {
        let file = invocation.operands[0]
        let profile = try catalog.load(file: file, settings: try invocation.profileSettings())
        let parameters = Figures.count(profile.parameters.count, "parameter")
        try console.write(["\(file): ok: \(profile.name), \(parameters)"])
    }
}

extension Profile {
    /// What a search looks at, in small letters.
    fileprivate var searchText: String {
        [name, summary, source, kind.title, ProfileFigures(self).text].joined(separator: "\n")
            .lowercased()
    }
}
