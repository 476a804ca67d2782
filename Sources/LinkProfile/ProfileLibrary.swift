import Basics
import Profiles
internal import YAML

/// A profile as text, with the name of its file for messages.
package struct ProfileText: Hashable, Sendable {
    package var file: String
    package var bytes: [UInt8]

    package init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
    }
}

/// Why a file could not be read, in words.
package struct UnreadableFile: Error, Hashable, Sendable {
    package var reason: String

    package init(reason: String) { self.reason = reason }
}

/// Finds profiles by name or path and makes settings of them.
///
/// It reads no file itself: the caller lends it two functions. A user's profile comes before a
/// built-in one of the same name.
package struct ProfileLibrary {
    /// Reads the file at `path`, which is relative to the file `from`, or to the working directory.
    package typealias Reader = (_ path: String, _ from: String?) throws(UnreadableFile) ->
        ProfileText
    /// Finds a profile of this name on the user's search path.
    package typealias Finder = (_ name: String) throws(UnreadableFile) -> ProfileText?

    private let userNames: [String]
    private let find: Finder
    let read: Reader

    /// A library of the built-in profiles and the user's.
    ///
    /// `userNames` are those on the search path, to suggest when a name is misspelt.
    package init(userNames: [String] = [], find: @escaping Finder, read: @escaping Reader) {
        self.userNames = userNames
        self.find = find
        self.read = read
    }

    /// A library of the built-in profiles alone, which reads no files.
    package static func builtinOnly() -> ProfileLibrary {
        ProfileLibrary(find: { _ in nil }) { _, _ throws(UnreadableFile) in
            throw UnreadableFile(reason: "no files can be read here")
        }
    }

    /// A path without what leads nowhere: `./p.yaml` and `p.yaml` are one file.
    ///
    /// `..` stays, since what is above a folder may be elsewhere if the folder is a link.
    package static func plainPath(_ path: String) -> String {
        let names = path.utf8.split(separator: UInt8(ascii: "/"))
            .filter { !$0.elementsEqual(".".utf8) }
        let plain = names.map { String(Substring($0)) }.joined(separator: "/")
        return path.utf8.first == UInt8(ascii: "/") ? "/" + plain : plain
    }

    /// The text behind a name or a path.
    ///
    /// - Throws: `unknownProfile`, or `unreadable` if there is a file but no reading it.
    package func text(
        of reference: String,
        from file: String? = nil
    ) throws(ProfileError) -> ProfileText {
        do throws(UnreadableFile) {
            if isYAMLPath(reference) { return try read(reference, file) }
            for name in Self.names(for: reference) {
                if let text = try find(name) { return text }
                if let profile = Profiles.all.first(where: { $0.name == name }) {
                    return ProfileText(file: "builtin/\(profile.file)", bytes: profile.bytes)
                }
            }
        } catch {
            throw .unreadable(reference, reason: error.reason)
        }
        throw .unknownProfile(
            reference,
            suggestions: ProfileSearch.suggestions(
                for: reference,
                among: userNames + Profiles.all.map(\.name)
            )
        )
    }

    /// Whether somebody who writes this word alone means a profile: one of its name, or several.
    package func means(_ word: String) -> Bool {
        let names = userNames + Profiles.all.map(\.name)
        return Self.names(for: word).contains(where: names.contains)
            || !ProfileSearch.named(word, among: names).isEmpty
    }

    /// The name itself, then what it means as another program's name of a preset.
    private static func names(for reference: String) -> [String] {
        [
            reference, ConditionerName.profileName(reference), ConditionerName.builtin(reference),
        ].filter { !$0.isEmpty }
    }

    /// Loads a profile by name or path.
    package func load(
        _ reference: String,
        settings: [ProfileSetting] = []
    ) throws(ProfileError) -> Profile {
        try load(text(of: reference), settings: settings)
    }

    /// Loads a profile from its text; `settings` lie over it, the last one uppermost.
    package func load(
        _ text: ProfileText,
        settings: [ProfileSetting] = []
    ) throws(ProfileError) -> Profile {
        var resolver = ProfileResolver(library: self)
        return try resolver.resolve(text, settings: settings)
    }
}
