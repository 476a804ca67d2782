internal import SystemIO
internal import YAML

/// Fills an invocation with what configuration files say.
package enum Configuration {
    /// The most bytes of a file.
    private static let fileLimit = 1 << 20

    /// The invocation with the options of files where the command line and the environment are
    /// silent.
    ///
    /// - Throws: the mistakes of the first file that has any.
    package static func complete(
        _ invocation: Invocation,
        of set: CommandSet,
        environment: (String) -> String?,
        currentDirectory: String
    ) throws(Failure) -> Invocation {
        guard invocation.command.readsConfiguration,
            !invocation.has(OptionSpecification.noConfiguration.long), !invocation.has("help")
        else { return invocation }
        var invocation = invocation
        let schema = ConfigurationSchema(commands: set.commands)
        let paths = ConfigurationFiles.paths(
            environment: environment,
            currentDirectory: currentDirectory
        )
        for path in paths {
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileSystem.read(path, limit: fileLimit)
            } catch {
                throw Failure(.inputMissing, "cannot read configuration '\(path)': \(error)")
            }
            invocation.merge(
                try ConfigurationReader.read(bytes, file: path, schema: schema),
                of: path
            )
        }
        return invocation
    }
}

extension Invocation {
    /// Adds the values of one file; those that are there already count more.
    ///
    /// Of settings each key is an option by itself, so the values of all places are put together.
    package mutating func merge(_ values: [ConfigurationReader.Value], of file: String) {
        configurationFiles.append(file)
        var taken: [Option] = []
        for option in command.options where option.isConfigurable {
            let isMerged = option.takesSettings
            guard isMerged || !has(option.long) else { continue }
            let named = values.filter { $0.long == option.long }
            let top = command.sharesConfiguration ? named.filter { $0.section == nil } : []
            let own = named.filter { $0.section == command.name }
            // The section of the command counts more than the top of the file.
            let chosen = isMerged || own.isEmpty ? top + own : own
            for value in chosen.flatMap(\.texts) {
                taken.append(
                    Option(
                        long: option.long,
                        value: Self.resolve(value.text, of: option, from: file),
                        origin: .file(value.place)
                    )
                )
            }
        }
        prepend(taken)
    }

    private static func resolve(
        _ text: String,
        of option: OptionSpecification,
        from file: String
    ) -> String {
        if option.value?.completion == .profile { return resolve(text, from: file) }
        guard option.value?.assignsProfile == true, let sign = text.firstIndex(of: "=") else {
            return text
        }
        let reference = text[text.index(after: sign)...]
        return text[...sign] + resolve(String(reference), from: file)
    }

    /// A path in a file is relative to that file.
    private static func resolve(_ reference: String, from file: String) -> String {
        guard isYAMLPath(reference), !reference.hasPrefix("/"),
            let slash = file.lastIndex(of: "/")
        else { return reference }
        return file[...slash] + reference
    }
}
