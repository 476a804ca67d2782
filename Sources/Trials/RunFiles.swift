internal import Faults
internal import Proxy
internal import SystemIO

/// The folder of a run, from which a fault removes files.
final class RunFiles: ClientFiles {
    private let path: String

    /// Folders in one another that are looked into.
    private static let depthLimit = 16

    /// - Parameter path: of the run's folder.
    init(_ path: String) { self.path = path }

    func purge(_ names: PathGlob) -> Bool {
        guard let folder = try? Folder(path) else { return false }
        return purge(names, from: folder, below: "", depth: Self.depthLimit)
    }

    private func purge(
        _ names: PathGlob,
        from folder: Folder,
        below prefix: String,
        depth: Int
    ) -> Bool {
        var hasPurged = false
        for entry in (try? folder.entries()) ?? [] {
            let path = prefix + entry.name
            switch entry.information.kind {
            case .folder where depth > 0:
                guard let inner = try? folder.folder(entry.name) else { continue }
                if purge(names, from: inner, below: path + "/", depth: depth - 1) {
                    hasPurged = true
                }
            case .regular where names.matches(name: path):
                if (try? folder.remove(entry.name)) != nil { hasPurged = true }
            default: break
            }
        }
        return hasPurged
    }
}
