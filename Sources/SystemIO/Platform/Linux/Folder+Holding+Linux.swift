internal import CLibuv
internal import CLibrary

// Where something is that was opened, whatever names and links led there.

extension Folder {
    /// Whether a folder is this one or below it at the moment; false where procfs cannot tell.
    package func holds(_ folder: Folder) -> Bool { holds(folder.descriptor) }

    /// Whether a file is below this folder at the moment; false where procfs cannot tell.
    package func holds(_ file: File) -> Bool { holds(file.descriptor) }

    private func holds(_ other: CInt) -> Bool {
        guard let own = Self.place(of: descriptor), let place = Self.place(of: other) else {
            return false
        }
        return place == own || place.starts(with: own + [UInt8(ascii: "/")])
    }

    /// The path by which the kernel knows an open file (proc_pid_fd(5)).
    private static func place(of descriptor: CInt) -> [UInt8]? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/fd/\(descriptor)", &text, text.count)
        guard count > 0 else { return nil }
        return text[..<count].map { UInt8(bitPattern: $0) }
    }
}
