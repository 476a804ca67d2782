internal import CLibuv
internal import CLibrary

extension Folder {
    /// Gives the file `name` of this folder a second name in another folder of the same file system.
    ///
    /// - Throws: `alreadyExists` if the new name is taken; a file of that name is never replaced.
    package func link(
        _ name: String,
        to newName: String,
        in other: Folder
    ) throws(SystemError) {
        try Self.checkName(name)
        try Self.checkName(newName)
        guard unsafe linkat(descriptor, name, other.descriptor, newName, 0) == 0 else {
            throw .last
        }
    }

    /// Moves the file `name` to another folder of the same file system; a file of the new name is replaced.
    package func rename(
        _ name: String,
        to newName: String,
        in other: Folder
    ) throws(SystemError) {
        try Self.checkName(name)
        try Self.checkName(newName)
        guard unsafe renameat(descriptor, name, other.descriptor, newName) == 0 else {
            throw .last
        }
    }
}
