/// A command line that was understood: which command, its options and operands.
struct Invocation: Sendable {
    /// The command's words, as in `["profiles", "show"]`.
    var path: [String]
    var command: CommandSpecification
    var operands: [String] = []
    /// In the order in which they were given.
    private(set) var options: [(long: String, value: String)] = []

    /// Options that the environment gave, not the command line.
    private(set) var environmentOptions: [String] = []

    init(path: [String], command: CommandSpecification) {
        self.path = path
        self.command = command
    }

    /// As the user types it, as in `linkcond profiles show`.
    var name: String { ([CommandTable.program] + path).joined(separator: " ") }

    mutating func add(_ long: String, _ value: String) {
        options.append((long, value))
    }

    mutating func addFromEnvironment(_ long: String, _ value: String) {
        add(long, value)
        environmentOptions.append(long)
    }

    func has(_ long: String) -> Bool { options.contains { $0.long == long } }

    func values(_ long: String) -> [String] {
        options.filter { $0.long == long }.map(\.value)
    }

    func value(_ long: String) -> String? { values(long).last }
}
