internal import HTTPWire

// Extensions of tus 1.0.0, as far as the server announces them.
extension UploadChecks {
    static func tusExtensions(
        _ extensions: Set<String>,
        _ maximum: UInt64?,
        _ script: UploadScript
    ) -> [ServerCheck] {
        var checks: [ServerCheck] = []
        if extensions.contains("termination") { checks.append(termination(script)) }
        if extensions.contains("creation-with-upload") { checks.append(creationWithUpload(script)) }
        if extensions.contains("creation-defer-length") { checks.append(deferredLength(script)) }
        if extensions.contains("checksum") { checks += checksums(script) }
        if extensions.contains("concatenation") { checks.append(concatenation(script)) }
        if extensions.contains("expiration") { checks += expiration(script) }
        if let maximum, maximum < .max { checks.append(tooLarge(maximum, script)) }
        return checks
    }

    private static func termination(_ script: UploadScript) -> ServerCheck {
        script.check(20, .error, "Termination", "a terminated upload is gone") {
            [requests = script.requests] upload, replies in
            switch replies.count {
            case 0: return .send(requests.cancel(upload))
            case 1:
                guard replies[0].status == 204 else {
                    return .ended(.failed("DELETE is answered by \(replies[0].seen)"))
                }
                return .send(requests.head(upload))
            default:
                return .ended(
                    .require(
                        [404, 410].contains(replies[1].status),
                        "afterwards HEAD is answered by \(replies[1].seen)"
                    )
                )
            }
        }
    }

    private static func creationWithUpload(_ script: UploadScript) -> ServerCheck {
        script.plain(
            21,
            .error,
            "Creation With Upload",
            "bytes that come with the creation count"
        ) { [requests = script.requests] replies in
            let half = UploadRequests.half
            guard let reply = replies.first else {
                return .send(requests.create(UploadRequests.content[..<half]))
            }
            return .ended(
                .require(
                    reply.status == 201 && reply.offset == half,
                    "\(reply.seen), Upload-Offset: \(reply.fields["Upload-Offset"] ?? "none")"
                )
            )
        }
    }

    private static func deferredLength(_ script: UploadScript) -> ServerCheck {
        let requests = script.requests
        var creation = requests.create()
        creation.fields.remove("Upload-Length")
        creation.fields.add("Upload-Defer-Length", "1")
        return script.check(
            22,
            .error,
            "Creation Defer Length",
            "a length that is not known yet may come later",
            creation: creation
        ) { upload, replies in
            switch replies.count {
            case 0:
                var request = requests.append(to: upload, from: 0)
                request.fields.add("Upload-Length", "\(UploadRequests.length)")
                return .send(request)
            case 1: return .send(requests.head(upload))
            default:
                let now = replies[1]
                return .ended(
                    .require(
                        now.offset == UploadRequests.length
                            && now.fields["Upload-Length"] == "\(UploadRequests.length)",
                        "HEAD is answered by \(now.seen), Upload-Offset:"
                            + " \(now.fields["Upload-Offset"] ?? "none"), Upload-Length:"
                            + " \(now.fields["Upload-Length"] ?? "none")"
                    )
                )
            }
        }
    }

    private static func checksums(_ script: UploadScript) -> [ServerCheck] {
        let requests = script.requests
        let withChecksum = { @Sendable (upload: HTTPURL, checksum: String) in
            var request = requests.append(to: upload, from: 0)
            request.fields.add("Upload-Checksum", checksum)
            return request
        }
        return [
            script.refusal(
                23,
                .error,
                "Checksum",
                "a part whose checksum is wrong is refused by 460, and discarded",
                460...460
            ) { withChecksum($0, "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=") },
            script.refusal(
                24,
                .error,
                "Checksum",
                "an unknown checksum algorithm is refused by 400",
                400...400
            ) { withChecksum($0, "linkcond-none Kq5sNclPz7QV2+lfQIuc6R7oRu0=") },
        ]
    }

    private static func concatenation(_ script: UploadScript) -> ServerCheck {
        let requests = script.requests
        var partial = requests.create()
        partial.fields.add("Upload-Concat", "partial")
        let creation = partial
        return script.plain(
            25,
            .error,
            "Concatenation",
            "partial uploads become one"
        ) { replies in
            guard replies.count > 1 else { return .send(creation) }
            let uploads = replies.prefix(2).compactMap { $0.resource(of: script.place) }
            guard uploads.count == 2 else {
                return .ended(.failed("a partial upload is answered by \(replies[0].seen)"))
            }
            switch replies.count {
            case 2, 3:
                return .send(requests.append(to: uploads[replies.count - 2], from: 0))
            case 4:
                var last = requests.create()
                last.fields.remove("Upload-Length")
                let urls = uploads.map(\.text).joined(separator: " ")
                last.fields.add("Upload-Concat", "final;\(urls)")
                return .send(last)
            case 5:
                guard replies[4].status == 201, let whole = replies[4].resource(of: script.place)
                else {
                    return .ended(.failed("the final upload is answered by \(replies[4].seen)"))
                }
                return .send(requests.head(whole))
            default:
                return .ended(
                    .require(
                        replies[5].fields["Upload-Length"] == "\(2 * UploadRequests.length)",
                        "Upload-Length: \(replies[5].fields["Upload-Length"] ?? "none"), not"
                            + " \(2 * UploadRequests.length)"
                    )
                )
            }
        }
    }

    private static func tooLarge(_ maximum: UInt64, _ script: UploadScript) -> ServerCheck {
        script.plain(26, .error, "Creation", "an upload above Tus-Max-Size is refused by 413") {
            [requests = script.requests] replies in
            guard let reply = replies.first else {
                var request = requests.create()
                request.fields["Upload-Length"] = "\(maximum + 1)"
                return .send(request)
            }
            return .ended(.require(reply.status == 413, "it is answered by \(reply.seen)"))
        }
    }
}
