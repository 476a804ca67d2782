/// A command line that was understood: which command, its options and operands.
package struct Invocation: Sendable {
    /// An option with one of its values.
    package struct Option: Sendable {
        /// Without the dashes.
        package var long: String
        /// Nothing for a flag.
        package var value: String
        package var origin: OptionOrigin
    }

    /// The command's words, as in `["profiles", "show"]`.
    package var path: [String]
    package var command: CommandSpecification
    package var operands: [String] = []
    /// The program to start with its arguments, for a command that takes one.
    package var program: [String] = []
    /// In the order in which they were given; what came from files goes before.
    package private(set) var options: [Option] = []
    /// Configuration files that were read, the one that counts most first.
    package var configurationFiles: [String] = []

    package init(path: [String], command: CommandSpecification) {
        self.path = path
        self.command = command
    }

    /// As the user types it, as in `linkcond profiles show`.
    package var name: String { ([CommandSet.program] + path).joined(separator: " ") }

    package mutating func add(
        _ long: String,
        _ value: String,
        from origin: OptionOrigin = .commandLine
    ) {
        options.append(Option(long: long, value: value, origin: origin))
    }

    /// Puts values before those that are there, which come from a place that counts more.
    mutating func prepend(_ earlier: [Option]) { options = earlier + options }

    /// Gives an option these values, whatever it had.
    package mutating func replace(_ long: String, with values: [String]) {
        options.removeAll { $0.long == long }
        for value in values { add(long, value) }
    }

    /// Whether an option stands on the command line itself.
    package func isGiven(_ long: String) -> Bool {
        options(long).contains { option in
            switch option.origin {
            case .commandLine, .alias: true
            case .environment, .file: false
            }
        }
    }

    package func has(_ long: String) -> Bool { options.contains { $0.long == long } }

    package func options(_ long: String) -> [Option] { options.filter { $0.long == long } }

    package func values(_ long: String) -> [String] { options(long).map(\.value) }

    package func value(_ long: String) -> String? { values(long).last }

    /// Where an option was given; nil if it was not.
    package func origin(of long: String) -> OptionOrigin? { options(long).last?.origin }

    /// What is wrong with an option's value.
    package func failure(_ long: String, _ message: String) -> Failure {
        (origin(of: long) ?? .commandLine).failure(long, message)
    }
}
