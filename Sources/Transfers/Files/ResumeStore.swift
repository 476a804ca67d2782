package import Basics
internal import Journal
internal import SystemIO

/// Where the resume data of one transfer are kept.
package struct ResumeStore: Hashable, Sendable {
    package let place: FilePlace

    /// What ends the name of a file of resume data.
    package static let suffix = ".resume"

    package init(_ place: FilePlace) { self.place = place }

    /// Reads what is there; nil if there is nothing.
    ///
    /// - Throws: why what is there cannot be used.
    package func load() throws(RecordError) -> ResumeFile? {
        let bytes: [UInt8]
        do throws(SystemError) {
            let file = try place.openFolder().file(place.name, for: .reading)
            let size = try file.size()
            guard size <= UInt64(ResumeFile.sizeLimit) else { throw .fileTooLarge }
            bytes = try file.read(at: 0, count: Int(size))
        } catch {
            if error.isMissingFile { return nil }
            throw RecordError("cannot be read: \(error)")
        }
        return try ResumeFile(bytes)
    }

    /// Writes so that a crash leaves the old content or all of the new one, readable by its owner
    /// only.
    package func save(_ resume: ResumeFile, durably: Bool) throws(StorageError) {
        do throws(SystemError) {
            let folder = try place.openFolder()
            try? folder.remove(temporary.name)
            let file = try folder.file(
                temporary.name,
                for: .writing,
                creation: .mustNotExist,
                permissions: 0o600
            )
            try file.write(resume.bytes, at: 0)
            if durably { try file.synchronize() }
            try folder.rename(temporary.name, to: place.name, durably: durably)
        } catch {
            temporary.remove()
            throw StorageError("cannot write resume data to '\(place.path)': \(error)")
        }
    }

    /// Removes what is there, and waits until that is on the disk.
    package func remove() {
        // What a crash in the middle of `save` has left.
        temporary.remove()
        guard let folder = try? place.openFolder(), (try? folder.remove(place.name)) != nil
        else { return }
        try? folder.synchronize()
    }

    private var temporary: FilePlace {
        FilePlace(folder: place.folder, name: ".\(place.name).tmp")
    }
}
