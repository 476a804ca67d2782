internal import HTTPWire

// tus 1.0.0, core protocol.
extension UploadChecks {
    static func tus(_ script: UploadScript) -> [ServerCheck] {
        let (requests, half) = (script.requests, UploadRequests.half)
        return [
            script.plain(
                1,
                .error,
                "Creation",
                "a creation makes an upload of the announced length"
            ) {
                replies in
                guard let reply = replies.first else { return .send(requests.create()) }
                return .ended(
                    .require(
                        reply.status == 201 && reply.resource(of: script.place) != nil
                            && reply.fields["Tus-Resumable"] == "1.0.0",
                        "\(reply.seen), Location: \(reply.fields["Location"] ?? "none"),"
                            + " Tus-Resumable: \(reply.fields["Tus-Resumable"] ?? "none")"
                    )
                )
            },
            script.plain(2, .warning, "Creation", "a creation without a length is refused") {
                replies in
                guard let reply = replies.first else {
                    var request = requests.create()
                    request.fields.remove("Upload-Length")
                    return .send(request)
                }
                return .ended(
                    .require((400...499).contains(reply.status), "it is answered by \(reply.seen)")
                )
            },
            script.check(3, .error, "HEAD", "HEAD says offset and length") { upload, replies in
                guard let reply = replies.first else { return .send(requests.head(upload)) }
                return .ended(
                    .require(
                        reply.isSuccess && reply.offset == 0
                            && reply.fields["Upload-Length"] == "\(UploadRequests.length)",
                        "\(reply.seen), Upload-Offset: \(reply.fields["Upload-Offset"] ?? "none"),"
                            + " Upload-Length: \(reply.fields["Upload-Length"] ?? "none")"
                    )
                )
            },
            script.check(4, .warning, "HEAD", "no cache keeps the answer to HEAD") {
                upload,
                replies in
                guard let reply = replies.first else { return .send(requests.head(upload)) }
                return .ended(
                    .require(
                        reply.fields.list("Cache-Control", hasToken: "no-store"),
                        "Cache-Control: \(reply.fields["Cache-Control"] ?? "none")"
                    )
                )
            },
            script.check(
                5,
                .error,
                "HEAD",
                "an upload that is not there is not found, and has no offset"
            ) {
                upload,
                replies in
                guard let reply = replies.first else {
                    guard let other = try? HTTPURL(upload.text + "-linkcond-none") else {
                        return .ended(.doesNotApply("its URL cannot be changed"))
                    }
                    return .send(requests.head(other))
                }
                return .ended(
                    .require(
                        [403, 404, 410].contains(reply.status) && reply.offset == nil,
                        "HEAD is answered by \(reply.seen), Upload-Offset:"
                            + " \(reply.fields["Upload-Offset"] ?? "none")"
                    )
                )
            },
            script.check(6, .error, "PATCH", "a part is answered by 204 and the new offset") {
                upload,
                replies in
                guard let reply = replies.first else {
                    return .send(requests.append(to: upload, from: 0, to: half))
                }
                return .ended(
                    .require(
                        reply.status == 204 && reply.offset == half,
                        "\(reply.seen), Upload-Offset: \(reply.fields["Upload-Offset"] ?? "none")"
                    )
                )
            },
            script.refusal(
                7,
                .error,
                "PATCH",
                "a part at a wrong offset is refused by 409, and the upload lives on",
                409...409
            ) { requests.append(to: $0, from: 7) },
            script.refusal(
                8,
                .error,
                "PATCH",
                "a part of another media type is refused by 415",
                415...415
            ) {
                var request = requests.append(to: $0, from: 0)
                request.fields["Content-Type"] = "application/octet-stream"
                return request
            },
            script.refusal(
                9,
                .error,
                "Tus-Resumable",
                "a request of another version is refused by 412",
                412...412
            ) {
                var request = requests.append(to: $0, from: 0)
                request.fields["Tus-Resumable"] = "0.2.1"
                return request
            },
            script.check(10, .error, "PATCH", "a part that was cut off goes on where it was cut") {
                upload,
                replies in
                guard !replies.isEmpty else {
                    return .send(
                        requests.append(to: upload, from: 0, interruption: .cut(after: half))
                    )
                }
                return script.goOn(upload, replies.dropFirst(), limit: half)
            },
            script.check(
                11,
                .warning,
                "PATCH",
                "a part that hangs does not keep another one from going on"
            ) { upload, replies in
                guard !replies.isEmpty else {
                    return .send(
                        requests.append(to: upload, from: 0, interruption: .hang(after: half))
                    )
                }
                return script.goOn(upload, replies.dropFirst(), limit: half)
            },
            script.check(12, .error, "PATCH", "more bytes than were announced are not taken") {
                upload,
                replies in
                switch replies.count {
                case 0:
                    var request = requests.append(to: upload, from: 0)
                    request.body += [1, 2, 3]
                    return .send(request)
                case 1: return .send(requests.head(upload))
                default:
                    return .ended(
                        .require(
                            (replies[1].offset ?? 0) <= UploadRequests.length,
                            "Upload-Offset: \(replies[1].offset ?? 0), of \(UploadRequests.length)"
                        )
                    )
                }
            },
            script.check(
                13,
                .warning,
                "X-HTTP-Method-Override",
                "the method may be said in a field"
            ) {
                upload,
                replies in
                guard let reply = replies.first else {
                    var request = requests.append(to: upload, from: 0)
                    request.method = "POST"
                    request.fields["X-HTTP-Method-Override"] = "PATCH"
                    return .send(request)
                }
                return .ended(
                    .require(
                        reply.status == 204 && reply.offset == UploadRequests.length,
                        "\(reply.seen), Upload-Offset: \(reply.fields["Upload-Offset"] ?? "none")"
                    )
                )
            },
        ] + shared(script, from: 14) + [sentAgain(script, 17)]
    }
}
