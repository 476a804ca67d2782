import Foundation
import Testing

/// Rules that the compiler does not hold.
@Suite struct HouseRuleTests {
    private static let sources =
        Repository.files(in: "Sources", endingIn: ".swift")
        + Repository.files(in: "Profiles", endingIn: ".swift")
    private static let tests = Repository.files(in: "Tests", endingIn: ".swift")

    @Test func `nothing is forced, public or left to do`() {
        // Put together so that this file does not find itself.
        let words = [
            "public ", "try" + "!", "as" + "! ", "TO" + "DO", "FIX" + "ME", "@inlin" + "able",
        ]
        for file in Self.sources {
            let text = Repository.text(file)
            // These are what other packages see.
            let isOpen = ["LinkTransfer", "LinkcondTesting"].contains(Self.module(file))
            for word in words where !(isOpen && word == "public ") {
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

    @Test func `every source file has its tests`() {
        let names = Set(Self.tests.map(Self.name))
        for file in Self.sources {
            let base = String(Self.name(file).prefix { $0 != "+" })
            let isHeld =
                names.contains("\(base)Tests") || names.contains("\(Self.name(file))Tests")
                || TestPairs.holds(base, of: Self.module(file))
            #expect(isHeld, "\(file): add \(base)Tests.swift, or a place in TestPairs.swift")
        }
    }

    @Test func `what is paired is there`() {
        let sources = Set(
            Self.sources.map { "\(Self.module($0)) \(Self.name($0).prefix { $0 != "+" })" }
        )
        let tests = Set(Self.tests)
        for entry in TestPairs.entries {
            #expect(tests.contains("Tests/\(entry.tests).swift"), "\(entry.tests)")
            for name in entry.names {
                #expect(sources.contains("\(entry.module) \(name)"), "\(entry.module)/\(name)")
            }
        }
    }

    private static func name(_ path: String) -> String {
        String(path.split(separator: "/").last?.dropLast(".swift".count) ?? "")
    }

    private static func module(_ path: String) -> String {
        let parts = path.split(separator: "/")
        return String(parts[0] == "Sources" ? parts[1] : parts[0])
    }

    @Test func `links in Markdown lead somewhere`() throws {
        for file in Repository.all where file.hasSuffix(".md") {
            let text = Repository.text(file)
            #expect(!text.isEmpty)
            let anchors = Set(Repository.lines(file).filter { $0.hasPrefix("#") }.map(Self.anchor))
            for target in Self.links(text) where !target.hasPrefix("http") {
                if target.hasPrefix("#") {
                    #expect(anchors.contains(String(target.dropFirst())), "\(file): \(target)")
                } else {
                    let folder = (file as NSString).deletingLastPathComponent
                    let path = "\(Repository.root)/\(folder)/\(target.prefix { $0 != "#" })"
                    #expect(FileManager.default.fileExists(atPath: path), "\(file): \(target)")
                }
            }
        }
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
