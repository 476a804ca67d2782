internal import SystemIO

/// A clock of programs that runs several times as fast, by Debian's libfaketime, which is loaded into
/// them: what they sleep, wait for and read from any clock.
struct WarpedClock: Hashable, Sendable {
    let factor: UInt64
    private let library: String

    /// Where Debian puts it, below a folder for each architecture; the first serves programs with
    /// threads, too.
    private static let folder = "/usr/lib"
    private static let names = ["faketime/libfaketimeMT.so.1", "faketime/libfaketime.so.1"]

    /// Nil if the library is not installed.
    ///
    /// - Parameter factor: how many times as fast.
    init?(factor: UInt64) {
        let folders =
            [Self.folder] + FileSystem.names(in: Self.folder).map { "\(Self.folder)/\($0)" }
        let paths = Self.names.flatMap { name in folders.map { "\($0)/\(name)" } }
        guard let library = paths.first(where: FileSystem.isFile) else { return nil }
        self.factor = factor
        self.library = library
    }

    /// An environment in which programs start with such a clock.
    func environment(over inherited: [String]) -> [String] {
        let preload = "LD_PRELOAD="
        let others = inherited.first { $0.hasPrefix(preload) }?.dropFirst(preload.count) ?? ""
        let names = [preload, "FAKETIME=", "NO_FAKE_STAT="]
        return inherited.filter { entry in !names.contains { entry.hasPrefix($0) } } + [
            "\(preload)\(library)\(others.isEmpty ? "" : ":\(others)")", "FAKETIME=+0 x\(factor)",
            // Dates of files are everybody's.
            "NO_FAKE_STAT=1",
        ]
    }

    /// Why the clock of a program cannot run faster; nil if it can, as far as its file tells.
    ///
    /// - Parameters:
    ///   - name: of the program, as it is called.
    ///   - searchPath: where it is looked for.
    /// - Returns: in words, with the name.
    static func objection(to name: String, searchPath: String) -> String? {
        guard let path = path(of: name, searchPath),
            let head = try? File(path, for: .reading).read(at: 0, count: headLength)
        else { return nil }
        switch ProgramImage(head) {
        case .dynamic, .other: return nil
        case .script(let interpreter):
            return interpreter == name ? nil : objection(to: interpreter, searchPath: searchPath)
        case .fixed: return "\(path) is linked statically, so that no library is loaded into it"
        case .go: return "\(path) is written in Go, which reads the clock without the C library"
        }
    }

    /// What holds the program headers and notes of an executable file.
    private static let headLength = 65_536

    private static func path(of name: String, _ searchPath: String) -> String? {
        if name.utf8.contains(UInt8(ascii: "/")) { return name }
        return searchPath.split(separator: ":").map { "\($0)/\(name)" }.first(
            where: FileSystem.isFile
        )
    }
}
