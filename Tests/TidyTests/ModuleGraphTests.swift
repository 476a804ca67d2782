import Foundation
import Testing

/// Holds docs/ARCHITECTURE.md to the modules; with LINKCOND_DOCS=write (`make docs`) it draws them.
@Suite struct ModuleGraphTests {
    private static let page = "docs/ARCHITECTURE.md"
    private static let start = "<!-- modules -->"
    private static let end = "<!-- end of modules -->"

    /// The modules that each module imports.
    private static let arrows: [String: Set<String>] = {
        let modules = ArchitectureTests.modules
        let pairs = modules.map {
            ($0, ArchitectureTests.imports(of: $0).intersection(modules).subtracting([$0]))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    /// All modules that a module reaches.
    private static func closure(_ module: String) -> Set<String> {
        let next = arrows[module] ?? []
        return next.union(next.flatMap(closure))
    }

    /// The longest way down.
    private static func floor(_ module: String) -> Int {
        (arrows[module] ?? []).map { floor($0) + 1 }.max() ?? 0
    }

    /// A line for each module, the highest floor first, without arrows that follow from others.
    private static var drawing: [String] {
        let names = arrows.keys.sorted { (floor($1), $0) < (floor($0), $1) }
        let width = names.map(\.count).max() ?? 0
        return names.map { name in
            let direct = arrows[name] ?? []
            let implied = Set(direct.flatMap(closure))
            let shown = direct.subtracting(implied).sorted().joined(separator: ", ")
            let padded = name.padding(toLength: width, withPad: " ", startingAt: 0)
            return shown.isEmpty ? name : "\(padded)  → \(shown)"
        }
    }

    @Test func `the module graph in the documentation is that of the sources`() throws {
        var lines = Repository.lines(Self.page).map(String.init)
        let first = try #require(lines.firstIndex(of: Self.start))
        let last = try #require(lines.firstIndex(of: Self.end))
        let graph = ["", "```text"] + Self.drawing + ["```", ""]
        if ProcessInfo.processInfo.environment["LINKCOND_DOCS"] == "write" {
            lines.replaceSubrange((first + 1)..<last, with: graph)
            let file = URL(fileURLWithPath: "\(Repository.root)/\(Self.page)")
            return try Data(lines.joined(separator: "\n").utf8).write(to: file)
        }
        #expect(Array(lines[(first + 1)..<last]) == graph, "run `make docs`")
    }
}
