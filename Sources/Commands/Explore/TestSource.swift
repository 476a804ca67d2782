internal import Arguments
internal import Basics
internal import SystemIO

/// Where the tests come from that are explored one by one: `--each LIST` or `--pytest`.
enum TestSource: Hashable {
    /// A shell command, of whose output each line is the name of a test.
    case command(String)
    /// A file with a name on each line.
    case file(String)
    /// pytest itself, with these arguments.
    case pytest([String])

    /// What stands for a test's name in the words of CMD, and in its environment.
    static let placeholder = "{test}"
    static let variable = "LINKCOND_TEST"
    /// The most tests of a list, and the most bytes of it.
    static let limit = 10_000
    static let sizeLimit = 16 << 20

    /// - Parameter invocation: of `explore`.
    /// - Returns: the source, nil for a single command, and CMD.
    /// - Throws: options that contradict each other, or a CMD without a place for the test.
    static func read(
        _ invocation: Invocation
    ) throws(Failure) -> (source: TestSource?, program: [String]) {
        let program = invocation.program
        guard invocation.has("pytest") else {
            guard let text = invocation.value("each") else { return (nil, program) }
            return (try list(text, program), program)
        }
        if invocation.has("each") {
            throw Failure(.usage, "--pytest lists the tests by itself; leave --each out")
        }
        // Cached results and folders of several runs at once would be in each other's way.
        let quiet = ["pytest", "-q", "-p", "no:cacheprovider", "--basetemp={dir}/pytest"]
        return (.pytest(program), quiet + program.filter { !isPlace($0) } + [placeholder])
    }

    private static func list(_ text: String, _ program: [String]) throws(Failure) -> TestSource {
        guard program.contains(where: { $0.contains(placeholder) || $0.contains(variable) }) else {
            throw Failure(
                .usage,
                "--each needs \(placeholder) among the words of CMD, where each test's name belongs;"
                    + " for a CMD that reads it from the environment, write"
                    + " env \(variable)=\(placeholder) CMD"
            )
        }
        let source: TestSource =
            text.hasPrefix("@") ? .file(String(text.dropFirst())) : .command(text)
        guard text != "@", !text.isEmpty else {
            throw Failure(.usage, "--each: write a shell command that lists tests, or @FILE")
        }
        if !text.contains("/"), FileSystem.isFile(text) {
            throw Failure(.usage, "--each: '\(text)' is a file; write --each @\(text) to read it")
        }
        return source
    }

    /// Whether an argument of pytest says where tests are: a file, a folder, or a test in a file.
    private static func isPlace(_ word: String) -> Bool {
        guard !word.hasPrefix("-") else { return false }
        let path = word.firstRange(of: "::").map { String(word[..<$0.lowerBound]) } ?? word
        return FileSystem.isFile(path) || FileSystem.isDirectory(path)
    }

    /// The shell command that lists the tests; nil for a file.
    var command: String? {
        switch self {
        case .command(let text): text
        case .file: nil
        case .pytest(let arguments):
            // A line for each test, whatever the project's configuration asks for.
            ShellText.line(
                ["pytest", "--collect-only", "--verbosity=-1", "-p", "no:cacheprovider"] + arguments
            )
        }
    }

    /// - Parameter bytes: the list.
    /// - Returns: each test once, in order.
    /// - Throws: `usage` for a list without tests, or with more than fit.
    func names(in bytes: [UInt8]) throws(Failure) -> [String] {
        var seen: Set<String> = []
        let names = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { line in
                let line = line.drop { $0 == " " || $0 == "\t" }
                return String(line.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            }
            .filter { isName($0) && seen.insert($0).inserted }
        guard !names.isEmpty else { throw Failure(.usage, "\(option): the list has no tests") }
        guard names.count <= Self.limit else {
            throw Failure(
                .usage,
                "\(option): the list has \(names.count) tests; at most \(Self.limit) can be explored"
            )
        }
        return names
    }

    private func isName(_ line: String) -> Bool {
        if case .pytest = self { return line.firstRange(of: "::") != nil }
        return !line.isEmpty && !line.hasPrefix("#")
    }

    /// The option that it comes from.
    var option: String {
        if case .pytest = self { return "--pytest" }
        return "--each"
    }
}
