internal import CLibrary

/// What is known of this process.
struct ProcessFigures {
    /// Not known.
    let virtualBytes: UInt64? = nil
    /// Not known.
    let startMilliseconds: UInt64? = nil

    /// By `/dev/fd`; nil where there is no such folder.
    static var openDescriptors: Int? {
        let names = FileSystem.names(in: "/dev/fd")
        // Without the descriptor of the folder itself.
        return names.isEmpty ? nil : names.count - 1
    }
}
