/// What a configuration file may say: the long names of options, as in the command table.
package struct ConfigurationSchema {
    /// Commands that read configuration; each may have a section of its own.
    package let commands: [CommandSpecification]

    package init(commands: [CommandSpecification]) {
        self.commands = commands.filter(\.readsConfiguration)
    }

    /// The options that may stand at the top, or in the section of a command.
    package func options(of section: String? = nil) -> [OptionSpecification] {
        var options: [OptionSpecification] = []
        for command in commands
        where section == nil ? command.sharesConfiguration : command.name == section {
            for option in command.options
            where option.isConfigurable && !options.contains(where: { $0.long == option.long }) {
                options.append(option)
            }
        }
        return options
    }

    /// Whether an option is one that only the command line takes.
    func isForCommandLine(_ name: String) -> Bool {
        commands.contains { $0.option(long: name)?.isConfigurable == false }
    }
}
