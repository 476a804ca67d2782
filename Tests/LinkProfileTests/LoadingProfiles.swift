import LinkProfile

/// A library without user profiles or files, or with those given by path.
func library(_ files: [String: String] = [:]) -> ProfileLibrary {
    ProfileLibrary(find: { _ in nil }) { path, _ throws(UnreadableFile) in
        guard let text = files[path] else { throw UnreadableFile(reason: "no such file") }
        return ProfileText(file: path, bytes: Array(text.utf8))
    }
}

/// Loads YAML text as the file `p.yaml`.
func load(
    _ yaml: String,
    _ settings: [String] = [],
    files: [String: String] = [:]
) throws(ProfileError) -> Profile {
    let text = ProfileText(file: "p.yaml", bytes: Array(yaml.utf8))
    return try library(files).load(text, settings: settings.compactMap(ProfileSetting.init))
}

/// What is said about a wrong profile, one line per mistake.
func mistakes(
    _ yaml: String,
    _ settings: [String] = [],
    files: [String: String] = [:]
) -> [String] {
    do throws(ProfileError) {
        _ = try load(yaml, settings, files: files)
        return []
    } catch {
        return error.lines
    }
}
