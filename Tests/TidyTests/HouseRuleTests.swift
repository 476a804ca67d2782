import Foundation
import Testing

/// Rules that the compiler does not hold.
@Suite struct HouseRuleTests {
    private static let sources =
        Repository.files(in: "Sources", endingIn: ".swift")
        + Repository.files(in: "Profiles", endingIn: ".swift")

    @Test func `nothing is forced, public or left to do`() {
        // Put together so that this file does not find itself.
        let words = [
            "public ", "try" + "!", "as" + "! ", "TO" + "DO", "FIX" + "ME", "@inlin" + "able",
        ]
        for file in Self.sources {
            let text = Repository.text(file)
            // These are what other packages see, and what only passes on the C library.
            let isOpen = ["CLibrary", "LinkTransfer", "LinkcondTesting", "ResumableUploads"]
                .contains(Self.module(file))
            // The optimizer crosses the border of a module only for these (three times the speed).
            let isInlined = ["Units", "Direction", "AddressedRandom"].contains {
                file.hasSuffix("/\($0).swift")
            }
            let allowed = isInlined ? ["public ", words[5]] : isOpen ? ["public "] : []
            for word in words where !allowed.contains(word) {
                #expect(!text.contains(word), "\(file) has \(word)")
            }
        }
    }

    /// A reader of this repository has only this repository.
    @Test func `nothing speaks of how the project was made`() throws {
        let words = [
            "/wo" + "rk/", "sha" + "red/", "/tmp/" + "wt", "link-" + "model.md",
            "interfaces" + ".md",
        ]
        for file in Repository.all {
            let text = Repository.text(file)
            for word in words { #expect(!text.contains(word), "\(file) has \(word)") }
        }
    }

    private static func module(_ path: String) -> String {
        let parts = path.split(separator: "/")
        return String(parts[0] == "Sources" ? parts[1] : parts[0])
    }

    @Test func `links in Markdown lead somewhere`() throws {
        for file in Repository.all where file.hasSuffix(".md") {
            let text = Repository.text(file)
            #expect(!text.isEmpty)
            for target in Self.links(text) where !target.hasPrefix("http") {
                let parts = target.split(separator: "#", omittingEmptySubsequences: false)
                let page = parts[0].isEmpty ? file : Self.path(String(parts[0]), from: file)
                let isThere = FileManager.default.fileExists(atPath: "\(Repository.root)/\(page)")
                #expect(isThere, "\(file): \(target)")
                guard parts.count > 1 else { continue }
                let headings = Repository.lines(page).filter { $0.hasPrefix("#") }
                let anchors = Set(headings.map(Self.anchor))
                #expect(anchors.contains(String(parts[1])), "\(file): \(target)")
            }
        }
    }

    /// The path below the root of what a file calls `target`.
    private static func path(_ target: String, from file: String) -> String {
        var parts = file.split(separator: "/").dropLast()
        for part in target.split(separator: "/") {
            if part == ".." { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    /// The targets of `[text](target)`.
    private static func links(_ text: String) -> [String] {
        text.components(separatedBy: "](").dropFirst().compactMap { rest in
            rest.firstIndex(of: ")").map { String(rest[..<$0]) }
        }
    }

    /// The name that a heading gets on the usual sites.
    private static func anchor(_ heading: Substring) -> String {
        let text = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return String(
            text.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                .map { $0 == " " ? "-" : $0 }
        )
    }
}
