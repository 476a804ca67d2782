internal import Arguments
internal import Basics
internal import SystemIO

/// Tells whoever waits for it, by `--ready-file` or `--ready-fd`, that a server answers.
enum ReadyNotice {
    /// Writes a line of JSON to a file, which appears complete, and to a descriptor.
    ///
    /// - Parameters:
    ///   - document: what to write.
    ///   - file: nil for none.
    ///   - descriptor: nil for none; it is closed.
    ///   - isPrivate: whether only the owner may read the file.
    /// - Throws: `cannotCreate`.
    static func give(
        _ document: JSONValue,
        file: String?,
        descriptor: Int32?,
        isPrivate: Bool = false
    ) throws(Failure) {
        let bytes = Console.bytes([document.text])
        do throws(SystemError) {
            if let file { try FileSystem.replace(file, with: bytes, isPrivate: isPrivate) }
            if let descriptor { try OutputFile(inherited: descriptor).writeAll(bytes) }
        } catch {
            let place = file ?? "descriptor \(descriptor ?? 0)"
            throw Failure(.cannotCreate, "cannot write readiness to '\(place)': \(error)")
        }
    }
}
