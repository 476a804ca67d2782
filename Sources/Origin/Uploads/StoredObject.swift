internal import Basics
internal import HTTPWire
internal import ResumableServer

/// What the origin answers when an upload is complete and kept.
struct StoredObject: Hashable {
    /// In the folder of finished uploads.
    var name: String
    var bytes: UInt64
    /// Whether it took the place of an earlier one.
    var isReplacement = false

    /// Where it can be fetched.
    var path: String { Self.path(of: name) }

    static func path(of name: String) -> String { "/files/\(PercentEncoding.encode(name))" }

    var json: JSONValue {
        let object: JSONObject = ["path": .string(path), "bytes": .number(bytes)]
        return .object(object)
    }

    /// The answer of the target of an upload.
    ///
    /// - Parameter saysLocation: not where `Location` has to name the upload itself.
    /// - Returns: 201, or 200 for a replacement, with the receipt (RFC 9110 §9.3.4).
    func answer(saysLocation: Bool) -> StoredAnswer {
        var fields: HeaderFields = ["Content-Type": "application/json"]
        if saysLocation { fields["Location"] = path }
        return StoredAnswer(isReplacement ? 200 : 201, fields, body: Array("\(json.text)\n".utf8))
    }

    /// Reads back the name from an answer of this kind.
    static func name(in answer: StoredAnswer) -> String? {
        guard case .object(let object) = try? JSONParser.parse(answer.body[...]),
            case .string(let path) = object["path"]
        else {
            return nil
        }
        return name(inPath: path)
    }

    /// The name in a path that `path(of:)` made.
    static func name(inPath path: String) -> String? {
        path.hasPrefix("/files/") ? RequestPath(path).segments.last : nil
    }
}
