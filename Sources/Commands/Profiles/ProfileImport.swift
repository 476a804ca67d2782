internal import Arguments
internal import LinkProfile
internal import SystemIO

/// `linkcond profiles import FILE`: presets of Apple's Network Link Conditioner as profile files.
struct ProfileImport {
    let console: Console
    let catalog: ProfileCatalog

    func run(_ invocation: Invocation) throws(Failure) {
        let file = invocation.operands[0]
        let presets = try read(file)
        if invocation.value("output") == "-" {
            try console.write([presets.map(\.yaml).joined(separator: "---\n")])
        } else {
            try write(presets, to: folder(invocation), overwrites: invocation.has("force"))
        }
        for preset in presets {
            for note in preset.notes {
                console.log("\(CommandSet.program): warning: \(preset.title): \(note)")
            }
        }
    }

    private func read(_ file: String) throws(Failure) -> [ConditionerPreset] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(file, limit: ProfileCatalog.fileLimit)
        } catch {
            throw Failure(.inputMissing, "cannot read '\(file)': \(error)")
        }
        do throws(ProfileError) {
            return try ConditionerPresets.read(bytes, file: file)
        } catch {
            throw Failure(.configuration, diagnostics: error.lines)
        }
    }

    private func folder(_ invocation: Invocation) throws(Failure) -> String {
        if let folder = invocation.value("output") { return folder }
        if let folder = catalog.userFolder { return folder }
        throw Failure(.usage, "neither XDG_CONFIG_HOME nor HOME is set; use --output FOLDER")
    }

    /// All of them or, if one is there already and differs, none.
    private func write(
        _ presets: [ConditionerPreset],
        to folder: String,
        overwrites: Bool
    ) throws(Failure) {
        let files = presets.map { (path: "\(folder)/\($0.name).yaml", bytes: Array($0.yaml.utf8)) }
        for (path, bytes) in files where !overwrites && FileSystem.isFile(path) {
            let present = try? FileSystem.read(path, limit: bytes.count)
            guard present == bytes else {
                throw Failure(.cannotCreate, "'\(path)' exists; use --force to replace it")
            }
        }
        do throws(SystemError) {
            _ = try Folder.make(folder)
            for (path, bytes) in files { try FileSystem.replace(path, with: bytes) }
        } catch {
            throw Failure(.cannotCreate, "cannot write to '\(folder)': \(error)")
        }
        let width = presets.map(\.name.count).max() ?? 0
        try console.write(
            ["imported \(Figures.count(presets.count, "profile")) into \(folder):"]
                + presets.map { preset in
                    let gap = String(repeating: " ", count: width - preset.name.count)
                    return "  \(preset.name)\(gap)  \(preset.title)"
                }
        )
    }
}
