internal import HTTPWire

// Rules that are the same in all dialects.
extension UploadChecks {
    /// - Parameters:
    ///   - script: of a dialect.
    ///   - number: of the first check; the others follow it.
    /// - Returns: three checks.
    static func shared(_ script: UploadScript, from number: Int) -> [ServerCheck] {
        let requests = script.requests
        let (append, concurrency) = script.requests.dialect.appendSections
        return [
            script.refusal(
                number,
                .error,
                append,
                "a part that begins beyond the announced length is refused"
            ) {
                var request = requests.append(to: $0, from: UploadRequests.length + 7)
                request.body = [1, 2, 3]
                return request
            },
            atOnce(number + 1, concurrency, script),
            unrelated(number + 2, concurrency, script),
        ]
    }

    /// Two appends that begin at one offset: the bytes of one of them count.
    private static func atOnce(
        _ number: Int,
        _ section: String,
        _ script: UploadScript
    ) -> ServerCheck {
        let (requests, half) = (script.requests, UploadRequests.half)
        return script.check(
            number,
            .error,
            section,
            "of two appends at once from the same offset, one counts"
        ) { upload, replies in
            switch replies.count {
            case 0:
                return .send(requests.append(to: upload, from: 0, interruption: .hang(after: half)))
            case 1: return .send(requests.append(to: upload, from: 0, to: half))
            case 2: return .send(requests.head(upload))
            default:
                let now = replies[2]
                guard let offset = now.offset else {
                    return .ended(.doesNotApply("HEAD is answered by \(now.seen)"))
                }
                return .ended(
                    .require(
                        offset <= half,
                        "Upload-Offset: \(offset), after two times the same \(half) bytes"
                    )
                )
            }
        }
    }

    /// An append of a client that is gone for now may not be felt by others.
    private static func unrelated(
        _ number: Int,
        _ section: String,
        _ script: UploadScript
    ) -> ServerCheck {
        let (requests, half) = (script.requests, UploadRequests.half)
        return script.check(
            number,
            .warning,
            section,
            "an append that hangs does not keep other uploads waiting"
        ) { upload, replies in
            switch replies.count {
            case 0:
                return .send(requests.append(to: upload, from: 0, interruption: .hang(after: half)))
            case 1: return .send(requests.create())
            default:
                return .ended(
                    .require(
                        replies[1].isSuccess,
                        "meanwhile another creation is answered by \(replies[1].seen)"
                    )
                )
            }
        }
    }

    /// What a second request for a complete upload, sent since the first answer was lost, may change:
    /// nothing.
    ///
    /// - Parameters:
    ///   - script: of a dialect.
    ///   - number: of the check.
    /// - Returns: the check.
    static func sentAgain(_ script: UploadScript, _ number: Int) -> ServerCheck {
        let requests = script.requests
        return script.check(
            number,
            .error,
            script.requests.dialect.appendSections.append,
            "the last part, sent again since its answer was lost, changes nothing"
        ) { upload, replies in
            switch replies.count {
            case 0: return .send(requests.append(to: upload, from: 0))
            case 1:
                guard replies[0].isSuccess else {
                    return .ended(.failed("the content is answered by \(replies[0].seen)"))
                }
                return .send(requests.append(to: upload, from: UploadRequests.length))
            case 2:
                let (first, second) = (replies[0], replies[1])
                guard second.status < 500, second.failure == nil else {
                    return .ended(.failed("it is answered by \(second.seen)"))
                }
                let (old, new) = (first.fields["Location"], second.fields["Location"])
                guard !second.isSuccess || new == nil || old == nil || new == old else {
                    return .ended(
                        .failed("completed twice: Location: \(new ?? ""), before: \(old ?? "")")
                    )
                }
                return .send(requests.head(upload))
            default: return .ended(script.completeOrGone(replies[2]))
            }
        }
    }
}

extension UploadDialect {
    /// Where its document says what appends are, and what happens to two of them.
    fileprivate var appendSections: (append: String, concurrency: String) {
        switch self {
        case .ietf: ("Upload Append", "Concurrency")
        case .tus: ("PATCH", "PATCH")
        }
    }
}
