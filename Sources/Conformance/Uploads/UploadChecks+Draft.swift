internal import HTTPWire

// draft-ietf-httpbis-resumable-upload, which names its sections alike in all versions.
extension UploadChecks {
    static func draft(_ version: InteropVersion, _ script: UploadScript) -> [ServerCheck] {
        creations(version, script) + appends(script) + interruptions(script) + ends(script)
            + (version.rawValue >= 6 ? lengths(script) : []) + shared(script, from: 20)
            + [completeness(version, script)]
            + (version.rawValue >= 6 ? limits(version, script) : [])
            + (version == .v8 ? [created(script)] : [])
    }

    /// What earlier versions demand.
    private static func created(_ script: UploadScript) -> ServerCheck {
        script.plain(
            28,
            .warning,
            "Upload Creation",
            "an upload that was created is answered by 201"
        ) {
            [requests = script.requests] replies in
            guard let reply = replies.first else { return .send(requests.create()) }
            guard reply.isSuccess else {
                return .ended(.doesNotApply("no upload was created: \(reply.seen)"))
            }
            return .ended(.require(reply.status == 201, "it is answered by \(reply.seen)"))
        }
    }

    /// Versions differ in the field that says whether an upload is complete, and in its sense.
    private static func completeness(
        _ version: InteropVersion,
        _ script: UploadScript
    ) -> ServerCheck {
        let requests = script.requests
        let says = { @Sendable (reply: ProbeReply, isComplete: Bool, place: String) in
            let (name, value) = UploadRequests.completeness(isComplete, version)
            return ServerCheck.Verdict.require(
                reply.fields[name] == value,
                "\(place): \(name): \(reply.fields[name] ?? "none"), not \(value)"
            )
        }
        return script.check(
            23,
            .error,
            "Offset Retrieval",
            "the field of this version says whether the upload is complete"
        ) { upload, replies in
            switch replies.count {
            case 0: return .send(requests.head(upload))
            case 1:
                let verdict = says(replies[0], false, "HEAD of an upload that is not")
                guard verdict == .passed else { return .ended(verdict) }
                return .send(requests.append(to: upload, from: 0))
            case 2:
                // Version 8 alone demands it.
                let verdict = says(replies[1], true, "the final response")
                guard version != .v8 || verdict == .passed else { return .ended(verdict) }
                return .send(requests.head(upload))
            default:
                if [404, 410].contains(replies[2].status) { return .ended(.passed) }
                return .ended(says(replies[2], true, "HEAD of an upload that is"))
            }
        }
    }

    private static func creations(
        _ version: InteropVersion,
        _ script: UploadScript
    ) -> [ServerCheck] {
        let requests = script.requests
        return [
            script.plain(
                1,
                .error,
                "Upload Creation",
                "a creation that announces more makes an upload"
            ) { replies in
                guard let reply = replies.first else { return .send(requests.create()) }
                return .ended(
                    .require(
                        (reply.status == 201 || version == .v8 && reply.isSuccess)
                            && reply.resource(of: script.place) != nil,
                        "\(reply.seen), Location: \(reply.fields["Location"] ?? "none")"
                    )
                )
            },
            script.plain(
                2,
                .error,
                "Upload Creation",
                "a creation with the whole content is an upload at once"
            ) { replies in
                guard let reply = replies.first else {
                    return .send(requests.create(UploadRequests.content[...], isComplete: true))
                }
                return .ended(.require(reply.isSuccess, "it is answered by \(reply.seen)"))
            },
            script.check(
                3,
                .error,
                "Offset Retrieval",
                "HEAD says how much has come, and that there is more"
            ) { upload, replies in
                guard let reply = replies.first else { return .send(requests.head(upload)) }
                return .ended(
                    .require(
                        reply.isSuccess && reply.offset == 0 && reply.isComplete == false,
                        "\(reply.seen), Upload-Offset: \(reply.fields["Upload-Offset"] ?? "none"),"
                            + " complete: \(reply.isComplete.map { "\($0)" } ?? "not said")"
                    )
                )
            },
            script.check(
                4,
                .error,
                "Offset Retrieval",
                "no cache keeps the answer to HEAD"
            ) { upload, replies in
                guard let reply = replies.first else { return .send(requests.head(upload)) }
                return .ended(
                    .require(
                        reply.fields.list("Cache-Control", hasToken: "no-store"),
                        "Cache-Control: \(reply.fields["Cache-Control"] ?? "none")"
                    )
                )
            },
            script.plain(5, .error, "Offset Retrieval", "an upload that is not there is not found")
            {
                replies in
                guard let reply = replies.first else {
                    return .send(requests.create())
                }
                guard let upload = reply.resource(of: script.place),
                    let other = try? HTTPURL(upload.text + "-linkcond-none")
                else { return .ended(.doesNotApply("no upload was created: \(reply.seen)")) }
                guard replies.count > 1 else { return .send(requests.head(other)) }
                return .ended(
                    .require(
                        (400...499).contains(replies[1].status) && replies[1].offset == nil,
                        "HEAD is answered by \(replies[1].seen)"
                    )
                )
            },
        ]
    }

    private static func appends(_ script: UploadScript) -> [ServerCheck] {
        let (requests, half) = (script.requests, UploadRequests.half)
        return [
            script.check(6, .error, "Upload Append", "what was appended is there") {
                upload,
                replies in
                switch replies.count {
                case 0: return .send(requests.append(to: upload, from: 0, to: half))
                case 1:
                    guard replies[0].isSuccess else {
                        return .ended(.failed("it is answered by \(replies[0].seen)"))
                    }
                    return .send(requests.head(upload))
                default:
                    return .ended(
                        .require(
                            replies[1].offset == half && replies[1].isComplete == false,
                            "Upload-Offset: \(replies[1].fields["Upload-Offset"] ?? "none"), not"
                                + " \(half)"
                        )
                    )
                }
            },
            script.refusal(
                7,
                .error,
                "Upload Append",
                "an append at a wrong offset is refused by 409, and the upload lives on",
                409...409
            ) { requests.append(to: $0, from: 7) },
            script.check(8, .warning, "Upload Append", "the 409 says the right offset") {
                upload,
                replies in
                guard let reply = replies.first else {
                    return .send(requests.append(to: upload, from: 7))
                }
                guard reply.status == 409 else { return .ended(.doesNotApply("there is no 409")) }
                return .ended(
                    .require(
                        reply.offset == 0,
                        "Upload-Offset: \(reply.fields["Upload-Offset"] ?? "none"), not 0"
                    )
                )
            },
            script.refusal(
                9,
                .error,
                "Upload Append",
                "an append with an unreadable offset is refused"
            ) {
                var request = requests.append(to: $0, from: 0)
                request.fields["Upload-Offset"] = "-1"
                return request
            },
            script.check(10, .error, "Upload Append", "the last part completes the upload") {
                upload,
                replies in
                guard let first = replies.first else {
                    return .send(requests.append(to: upload, from: 0, to: half))
                }
                guard first.isSuccess else {
                    return .ended(.failed("the first part is answered by \(first.seen)"))
                }
                return script.goOn(upload, replies.dropFirst(), limit: half)
            },
        ]
    }

    private static func interruptions(_ script: UploadScript) -> [ServerCheck] {
        let (requests, half) = (script.requests, UploadRequests.half)
        let cutCreation = requests.create(
            UploadRequests.content[...],
            isComplete: true,
            interruption: .cut(after: half)
        )
        return [
            script.plain(
                11,
                .warning,
                "Upload Creation",
                "a 104 tells where the upload is while its content is still to come"
            ) { replies in
                guard let reply = replies.first else { return .send(cutCreation) }
                return .ended(
                    .require(
                        reply.interims.contains { $0.status == 104 },
                        "no 104 came before \(half) bytes were taken: what was cut off starts over"
                    )
                )
            },
            script.check(
                12,
                .error,
                "Upload Creation",
                "a creation that was cut off goes on where it was cut",
                creation: cutCreation
            ) { upload, replies in
                script.goOn(upload, replies[...], limit: half)
            },
            script.check(
                13,
                .error,
                "Upload Append",
                "an append that was cut off goes on where it was cut"
            ) { upload, replies in
                guard !replies.isEmpty else {
                    return .send(
                        requests.append(to: upload, from: 0, interruption: .cut(after: half))
                    )
                }
                return script.goOn(upload, replies.dropFirst(), limit: half)
            },
            script.check(
                14,
                .error,
                "Concurrency",
                "an append that hangs does not keep another one from going on"
            ) { upload, replies in
                guard !replies.isEmpty else {
                    return .send(
                        requests.append(to: upload, from: 0, interruption: .hang(after: half))
                    )
                }
                return script.goOn(upload, replies.dropFirst(), limit: half)
            },
        ]
    }

    private static func ends(_ script: UploadScript) -> [ServerCheck] {
        let requests = script.requests
        return [
            script.check(15, .error, "Upload Cancellation", "a cancelled upload is gone") {
                upload,
                replies in
                switch replies.count {
                case 0: return .send(requests.cancel(upload))
                case 1:
                    // A server need not support it.
                    guard replies[0].isSuccess else {
                        return .ended(.doesNotApply("DELETE is answered by \(replies[0].seen)"))
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
            },
            sentAgain(script, 16),
        ]
    }

    /// From version 6 on the length is said beforehand, and parts have a media type.
    private static func lengths(_ script: UploadScript) -> [ServerCheck] {
        let requests = script.requests
        return [
            script.refusal(
                17,
                .warning,
                "Media Type",
                "a part without its media type is refused by 415",
                415...415
            ) {
                var request = requests.append(to: $0, from: 0)
                request.fields["Content-Type"] = "text/plain"
                return request
            },
            script.check(
                18,
                .error,
                "Inconsistent Length",
                "more bytes than were announced are not taken"
            ) { upload, replies in
                switch replies.count {
                case 0:
                    var request = requests.append(to: upload, from: 0)
                    request.body += [1, 2, 3]
                    return .send(request)
                case 1:
                    guard !replies[0].isSuccess else {
                        return .ended(.failed("they are answered by \(replies[0].seen)"))
                    }
                    return .send(requests.head(upload))
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
                19,
                .error,
                "Offset Retrieval",
                "HEAD says the length that was announced"
            ) { upload, replies in
                guard let reply = replies.first else { return .send(requests.head(upload)) }
                return .ended(
                    .require(
                        reply.fields["Upload-Length"] == "\(UploadRequests.length)",
                        "Upload-Length: \(reply.fields["Upload-Length"] ?? "none"), not"
                            + " \(UploadRequests.length)"
                    )
                )
            },
        ]
    }
}
