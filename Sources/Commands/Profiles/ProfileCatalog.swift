internal import Arguments
internal import LinkProfile
internal import Profiles
internal import SystemIO
internal import YAML

/// Profiles by name or path: files on the search path, then the built-in ones.
struct ProfileCatalog {
    /// Folders that hold `NAME.yaml`, the first one first.
    let folders: [String]
    /// Where the user's own profiles are kept; nil without a home directory.
    let userFolder: String?
    private let filesRead = FilesRead()

    /// The most bytes of one file: a trace of four million lines fits.
    static let fileLimit = 64 << 20
    /// The most names of one folder that are listed.
    static let namesPerFolder = 1_000

    /// The search path of this process.
    init(environment: (String) -> String?, currentDirectory: String) {
        var folders = ["."]
        if let project = ConfigurationFiles.projectFolder(from: currentDirectory) {
            folders.append("\(project)/profiles")
        }
        userFolder = ConfigurationFiles.userFolder(environment).map { "\($0)/linkcond/profiles" }
        if let userFolder { folders.append(userFolder) }
        self.folders = folders + ["/etc/linkcond/profiles"]
    }

    /// What was read so far: profiles, what they extend, traces.
    private final class FilesRead {
        var identities: Set<FileIdentity> = []
        /// Whether what can be read but once was read already.
        var isSecondReading = false
    }

    /// Refuses to write over a file that was read.
    ///
    /// - Parameter outputs: options and the files that they name.
    /// - Throws: `usage`.
    func requireUnread(_ outputs: [(option: String, path: String?)]) throws(Failure) {
        for (option, path) in outputs {
            guard let path, let identity = FileSystem.identity(of: path),
                filesRead.identities.contains(identity)
            else { continue }
            throw Failure(
                .usage,
                "--\(option) '\(path)' is read as part of the profile; name another file"
            )
        }
    }

    /// Says that files are read anew from now on, which pipes cannot be.
    func readAgain() { filesRead.isSecondReading = true }

    /// Loads a profile by name or path.
    func load(_ reference: String, settings: [ProfileSetting] = []) throws(Failure) -> Profile {
        do throws(ProfileError) {
            return try library.load(reference, settings: settings)
        } catch {
            throw Self.failure(error, profile: reference)
        }
    }

    /// Loads a profile by name or path, for whoever tells of mistakes in another way.
    func profile(
        _ reference: String,
        settings: [ProfileSetting]
    ) throws(ProfileError) -> Profile {
        try library.load(reference, settings: settings)
    }

    /// Loads a profile from a file, `-` being standard input; never a built-in one.
    func load(file path: String, settings: [ProfileSetting]) throws(Failure) -> Profile {
        let text: ProfileText
        do throws(UnreadableFile) {
            text = try read(path)
        } catch {
            throw Self.failure(.unreadable(path, reason: error.reason))
        }
        do throws(ProfileError) {
            return try library.load(text, settings: settings)
        } catch {
            throw Self.failure(error)
        }
    }

    /// The text of a profile.
    func text(of reference: String) throws(Failure) -> ProfileText {
        do throws(ProfileError) {
            return try library.text(of: reference)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Names in the user's folders, without those in the working folder, where any YAML may lie.
    var userNames: [String] {
        var names: [String] = []
        for folder in folders.dropFirst() {
            for name in Self.names(in: folder) where !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func names(in folder: String) -> [String] {
        FileSystem.names(in: folder).prefix(namesPerFolder).compactMap { file in
            file.hasSuffix(".yaml") && !file.hasPrefix(".") ? String(file.dropLast(5)) : nil
        }
    }

    private var library: ProfileLibrary {
        let folders = folders
        return ProfileLibrary(
            userNames: userNames,
            find: { name throws(UnreadableFile) in
                for folder in folders {
                    let path = folder == "." ? "\(name).yaml" : "\(folder)/\(name).yaml"
                    if FileSystem.isFile(path) { return try self.read(path) }
                }
                return nil
            },
            read: { path, file throws(UnreadableFile) in
                try self.read(Self.resolve(path, from: file))
            }
        )
    }

    /// A relative path in a file is relative to that file.
    private static func resolve(_ path: String, from file: String?) -> String {
        guard !path.hasPrefix("/"), let file, let slash = file.lastIndex(of: "/") else {
            return path
        }
        return file[...slash] + path
    }

    private func read(_ path: String) throws(UnreadableFile) -> ProfileText {
        guard !FileSystem.isDirectory(path) else {
            throw UnreadableFile(reason: "it is a directory")
        }
        // Nobody may be left who writes into it, and connections would wait with us.
        guard !filesRead.isSecondReading || !FileSystem.isPipe(path) else {
            throw UnreadableFile(reason: "it is a pipe, which can be read but once")
        }
        do throws(SystemError) {
            let bytes = try FileSystem.read(path, limit: Self.fileLimit)
            if let identity = FileSystem.identity(of: path) {
                filesRead.identities.insert(identity)
            }
            return ProfileText(file: path, bytes: bytes)
        } catch {
            throw UnreadableFile(reason: error.description)
        }
    }

    private static func failure(_ error: ProfileError, profile: String? = nil) -> Failure {
        switch error {
        case .unknownProfile(let name, let suggestions):
            let hint = ProfileError.hint(suggestions)
            return Failure(.usage, "unknown profile '\(name)'\(hint) (see: linkcond profiles)")
        case .unreadable(let path, let reason):
            return Failure(.inputMissing, "cannot read profile '\(path)': \(reason)")
        case .invalid(let diagnostics):
            let isUsage = diagnostics.allSatisfy(\.place.isTyped)
            return Failure(
                isUsage ? .usage : .configuration,
                diagnostics: diagnostics.map { line($0, profile: profile) }
            )
        }
    }

    /// A mistake of the command line is linkcond's to tell, one in a file has its place.
    private static func line(_ diagnostic: Diagnostic, profile: String?) -> String {
        guard diagnostic.place.isTyped else { return diagnostic.text }
        let line = "\(CommandSet.program): error: \(diagnostic.text)"
        guard let profile, diagnostic.message.hasPrefix("unknown key") else { return line }
        return "\(line) (see: linkcond profiles show \(ShellText.word(profile)))"
    }
}
