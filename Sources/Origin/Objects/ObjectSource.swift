internal import Basics
internal import HTTPWire
internal import SystemIO

/// What the origin has to give: a folder's files, finished uploads, and computed bytes.
final class ObjectSource {
    enum Found {
        case object(OriginObject)
        /// A folder was asked for without the slash at its end.
        case redirect(String)
    }

    /// Names at the top that are not files: synthetic content, uploads, and this program's own.
    static let privateName = ".linkcond"

    /// Its files can be fetched; nil where only finished uploads and computed bytes are.
    private let folder: Folder?
    /// Of finished uploads, below `/files/`.
    private let uploads: Folder
    /// Not even by a link.
    private let hidden: Folder?
    private let tags: ContentTags

    init(folder: Folder?, uploads: Folder, loop: EventLoop) {
        self.folder = folder
        self.uploads = uploads
        hidden = try? folder?.folder(Self.privateName)
        tags = ContentTags(loop: loop)
    }

    /// Looks up a path; `done` may be called before this returns.
    func find(
        _ path: ObjectPath,
        prefersJSON: Bool,
        done: @escaping (Result<Found, ObjectProblem>) -> Void
    ) {
        do throws(ObjectProblem) {
            switch path.names.first {
            case nil where folder == nil:
                done(.success(.object(.generated(Self.explanation, contentType: Self.plainText))))
            case "bytes" where path.names.count == 2 && !path.isFolder:
                let object = try SyntheticObject.find(path.names[1], query: path.query)
                done(.success(.object(object)))
            case "bytes":
                throw ObjectProblem(404, "There is /bytes/N, for example /bytes/1000000.")
            case Self.privateName: throw Self.missing
            case "files" where folder == nil || holdsUpload(path.names.dropFirst()):
                try find(path, below: uploads, path.names.dropFirst(), prefersJSON, done)
            default:
                guard let folder else { throw Self.missing }
                try find(path, below: folder, path.names[...], prefersJSON, done)
            }
        } catch {
            done(.failure(error))
        }
    }

    /// Whether it is below the finished uploads, and not only below the folder's own `files`.
    private func holdsUpload(_ names: ArraySlice<String>) -> Bool {
        names.isEmpty || (try? uploads.information(names.joined(separator: "/"))) != nil
    }

    private func find(
        _ path: ObjectPath,
        below root: Folder,
        _ names: ArraySlice<String>,
        _ prefersJSON: Bool,
        _ done: @escaping (Result<Found, ObjectProblem>) -> Void
    ) throws(ObjectProblem) {
        let relative = names.joined(separator: "/")
        do throws(SystemError) {
            if path.isFolder || relative.isEmpty {
                guard path.isFolder else {
                    return done(.success(.redirect(Self.withSlash(path))))
                }
                let listed = relative.isEmpty ? root : try root.folder(relative)
                guard hidden?.holds(listed) != true else { throw SystemError.noSuchFile }
                done(.success(.object(try listing(of: listed, path, prefersJSON))))
                return
            }
            let file = try root.file(relative, for: .reading)
            guard hidden?.holds(file) != true else { throw SystemError.noSuchFile }
            let information = try file.information()
            let type = ContentType.of(path.names.last ?? "")
            tags.tag(file, information) { tag in
                done(.success(.object(Self.object(file, information, tag, type))))
            }
        } catch {
            if error == .isFolder { return done(.success(.redirect(Self.withSlash(path)))) }
            throw Self.problem(error)
        }
    }

    private static func object(
        _ file: File,
        _ information: FileInformation,
        _ tag: String?,
        _ contentType: String
    ) -> OriginObject {
        OriginObject(
            content: .file(file),
            size: information.size,
            tag: tag,
            lastModified: Int(information.modified.wholeSeconds),
            contentType: contentType
        )
    }

    private func listing(
        of folder: Folder,
        _ path: ObjectPath,
        _ prefersJSON: Bool
    ) throws(SystemError) -> OriginObject {
        let shown = path.names.isEmpty ? "/" : "/\(path.text)/"
        let hidden: Set<String> = path.names.isEmpty ? [Self.privateName] : []
        let listing = try FolderListing(folder, path: shown, hidden: hidden)
        return prefersJSON
            ? .generated(listing.json.text + "\n", contentType: "application/json")
            : .generated(listing.html, contentType: "text/html; charset=utf-8")
    }

    private static func withSlash(_ path: ObjectPath) -> String {
        "/" + path.names.map(PercentEncoding.encode).joined(separator: "/") + "/"
    }

    /// What the client hears does not tell whether something outside exists.
    private static func problem(_ error: SystemError) -> ObjectProblem {
        error == .permissionDenied
            ? ObjectProblem(403, "This file cannot be read.")
            : error.isExhaustion ? ObjectProblem(503, "Too many files are open.") : missing
    }

    private static let missing = ObjectProblem(404, "There is no such object.")

    private static let plainText = "text/plain; charset=utf-8"

    private static let explanation = """
        This is linkcond's test server.

          GET /bytes/N           N bytes of known content, with ranges and validators
          GET /bytes/N?seed=S    N bytes of other known content
          POST or PUT /files/    an upload: resumable by the IETF's drafts (interop 3, 5, 6, 8) or
                                 by tus 1.0.0, or plain, also as multipart/form-data
          GET /files/            what was uploaded
          GET /.linkcond/state   what was uploaded and fetched, as JSON

        The content is the output of SplitMix64 started at S (0 if not given), lowest byte first.

        Give linkcond --upstream HOST:PORT to put the bad network in front of your server, or
        `linkcond origin DIR` to serve files of yours.

        """
}
