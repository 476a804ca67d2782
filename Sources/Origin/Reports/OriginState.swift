package import Basics

/// What an origin has received and given so far, as `/.linkcond/state` and `--state` say it.
package struct OriginState: Hashable, Sendable {
    package struct Upload: Hashable, Sendable {
        package var identifier: String
        package var target: String
        /// `ietf-6`, `tus-1.0.0` or `plain`.
        package var `protocol`: String
        /// `active`, `finalising`, `complete`, `cancelled`, `expired`, `invalid`,
        /// `gone`, or `replaced` by a later PUT to the same target.
        package var state: String
        /// That can be counted on.
        package var bytes: UInt64
        package var length: UInt64?
        /// Of these bytes, in hexadecimal; nil if they are gone or cannot be read.
        package var digest: String?
        /// How often it was created and completed in this run: once at most.
        package var creations: Int
        package var completions: Int
        /// Where it can be fetched.
        package var path: String?
    }

    package struct Object: Hashable, Sendable {
        package var path: String
        package var size: UInt64
        package var tag: String?
        package var requests: Int
        /// Answers that were sent to their end: with everything, and with a part.
        package var whole: Int
        package var parts: Int
        /// Of content.
        package var bytes: UInt64
    }

    package var uploads: [Upload] = []
    package var objects: [Object] = []
    package var requests: UInt64 = 0
    /// Objects that are not listed, because there are too many.
    package var unlistedObjects: Int = 0

    package init() {}

    package var json: JSONValue {
        let object: JSONObject = [
            "v": .number(1), "requests": .number(requests),
            "uploads": .array(uploads.map(Self.json)),
            "targets": .array(targets.map(Self.json)),
            "objects": .array(objects.map(Self.json)),
            "unlistedObjects": unlistedObjects > 0 ? .number(unlistedObjects) : nil,
        ]
        return .object(object)
    }

    /// One thing that clients meant to upload, however many uploads they made of it.
    private struct Target {
        var target: String
        var creations = 0
        var completions = 0
    }

    private var targets: [Target] {
        var places: [String: Int] = [:]
        var targets: [Target] = []
        for upload in uploads {
            let place = places[upload.target] ?? targets.count
            if place == targets.count {
                places[upload.target] = place
                targets.append(Target(target: upload.target))
            }
            targets[place].creations += upload.creations
            targets[place].completions += upload.completions
        }
        return targets
    }

    private static func json(_ target: Target) -> JSONValue {
        let object: JSONObject = [
            "target": .string(target.target), "creations": .number(target.creations),
            "completions": .number(target.completions),
        ]
        return .object(object)
    }

    private static func json(_ upload: Upload) -> JSONValue {
        let object: JSONObject = [
            "id": .string(upload.identifier), "target": .string(upload.target),
            "protocol": .string(upload.protocol), "state": .string(upload.state),
            "bytes": .number(upload.bytes),
            "length": upload.length.map { .number($0) } ?? .null,
            "sha256": upload.digest.map { .string($0) } ?? .null,
            "creations": .number(upload.creations), "completions": .number(upload.completions),
            "path": upload.path.map { .string($0) },
        ]
        return .object(object)
    }

    private static func json(_ object: Object) -> JSONValue {
        let members: JSONObject = [
            "path": .string(object.path), "size": .number(object.size),
            "etag": object.tag.map { .string($0) }, "requests": .number(object.requests),
            "whole": .number(object.whole), "parts": .number(object.parts),
            "bytes": .number(object.bytes),
        ]
        return .object(members)
    }
}
