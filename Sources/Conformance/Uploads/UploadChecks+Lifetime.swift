internal import HTTPWire

// How long an upload that is not complete is kept, as a server announces it.
extension UploadChecks {
    /// A longer life is not waited for.
    private static let longestWait = 5
    /// Clocks and answers may be so late.
    private static let tolerance = 2

    /// That the time which an upload was given has passed with these answers, in words.
    static func lifeIsOver(_ replies: [ProbeReply], _ dialect: UploadDialect) -> String? {
        guard let last = replies.last(where: { $0.atSeconds > 0 }) else { return nil }
        for reply in replies {
            let life =
                switch dialect {
                case .tus: reply.life
                case .ietf(let version): reply.limit(lifetimeKey(version))
                }
            guard let life, reply.atSeconds + life <= last.atSeconds else { continue }
            return "an upload is kept for \(life) s, which were over too soon"
        }
        return nil
    }

    private static func lifetimeKey(_ version: InteropVersion) -> String {
        version == .v6 ? "expires" : "max-age"
    }

    // MARK: Upload-Expires (tus)

    static func expiration(_ script: UploadScript) -> [ServerCheck] {
        [
            expiring(27, .warning, "each answer to a part says when the upload expires", script) {
                $0.fields.contains("Upload-Expires")
                    ? .passed : .failed("Upload-Expires came with the creation alone")
            },
            expiring(28, .warning, "the time of expiry is an IMF-fixdate", script) { reply in
                guard let text = reply.fields["Upload-Expires"] else {
                    return .doesNotApply("the answer to a part says none")
                }
                return .require(
                    HTTPDate(text, now: reply.date)?.text == text,
                    "Upload-Expires: \(text)"
                )
            },
            expiring(29, .error, "the time of expiry is in the future", script) { reply in
                guard let life = reply.life else {
                    return .doesNotApply("there is none that can be read")
                }
                return .require(
                    life > 0,
                    "Upload-Expires: \(reply.fields["Upload-Expires"] ?? ""), which has passed: no"
                        + " client can resume"
                )
            },
        ] + ended(30, "Expiration", script, life: \.life)
    }

    /// A check of the answer to a part, of an upload that expires.
    private static func expiring(
        _ number: Int,
        _ level: ServerCheck.Level,
        _ rule: String,
        _ script: UploadScript,
        judge: @escaping @Sendable (ProbeReply) -> ServerCheck.Verdict
    ) -> ServerCheck {
        let (requests, half) = (script.requests, UploadRequests.half)
        return script.plain(number, level, "Expiration", rule) { replies in
            guard let creation = replies.first else { return .send(requests.create()) }
            guard let upload = creation.resource(of: script.place) else {
                return .ended(.doesNotApply("no upload was created: \(creation.seen)"))
            }
            guard replies.count > 1 else {
                return .send(requests.append(to: upload, from: 0, to: half))
            }
            guard replies.contains(where: { $0.fields.contains("Upload-Expires") }) else {
                return .ended(.doesNotApply("nothing says that the upload expires"))
            }
            return .ended(judge(replies[1]))
        }
        .sharing("\(script.prefix)expires")
    }

    // MARK: Upload-Limit (the draft, from version 6 on)

    static func limits(_ version: InteropVersion, _ script: UploadScript) -> [ServerCheck] {
        let key = lifetimeKey(version)
        return [
            limited(24, .error, "limits are a dictionary of integers from 0 on", script) {
                replies in
                let values = replies.compactMap { $0.fields.combined("Upload-Limit") }
                guard !values.isEmpty else { return .doesNotApply("there is no Upload-Limit") }
                let wrong = replies.first {
                    $0.fields.contains("Upload-Limit") && !$0.hasReadableLimits(key)
                }
                return .require(
                    wrong == nil,
                    "Upload-Limit: \(wrong?.fields.combined("Upload-Limit") ?? "")"
                )
            },
            limited(25, .warning, "the time that is left does not shrink faster than time", script)
            {
                replies in
                var earlier: (age: Int, at: Int, place: String)?
                for (reply, place) in zip(replies, ["OPTIONS", "the creation", "HEAD"]) {
                    guard let age = reply.limit(key) else { continue }
                    // OPTIONS speaks of uploads to come, whose time has not begun.
                    let began = earlier?.place == "OPTIONS" ? reply.atSeconds : earlier?.at ?? 0
                    if let earlier, age < earlier.age - (reply.atSeconds - began) - tolerance {
                        return .failed(
                            "\(key)=\(age) says \(place), after \(earlier.age) of \(earlier.place)"
                        )
                    }
                    earlier = (age, reply.atSeconds, place)
                }
                return earlier == nil ? .doesNotApply("there is no \(key)") : .passed
            },
        ] + ended(26, "Upload-Limit", script) { $0.limit(key) }
    }

    /// A check of the answers to OPTIONS, to a creation and to HEAD.
    private static func limited(
        _ number: Int,
        _ level: ServerCheck.Level,
        _ rule: String,
        _ script: UploadScript,
        judge: @escaping @Sendable ([ProbeReply]) -> ServerCheck.Verdict
    ) -> ServerCheck {
        let requests = script.requests
        return script.plain(number, level, "Upload-Limit", rule) { replies in
            switch replies.count {
            case 0: return .send(requests.options())
            case 1: return .send(requests.create())
            case 2:
                guard let upload = replies[1].resource(of: script.place) else {
                    return .ended(.doesNotApply("no upload was created: \(replies[1].seen)"))
                }
                return .send(requests.head(upload))
            default: return .ended(judge(replies))
            }
        }
        .sharing("\(script.prefix)limits")
    }

    // MARK: Its end

    /// Checks of an upload whose time is up.
    ///
    /// - Parameters:
    ///   - number: of the first.
    ///   - section: of the dialect's document.
    ///   - script: of the dialect.
    ///   - life: seconds that are left, as an answer to a part or else to HEAD says; nil if it does not.
    /// - Returns: two checks.
    private static func ended(
        _ number: Int,
        _ section: String,
        _ script: UploadScript,
        life: @escaping @Sendable (ProbeReply) -> Int?
    ) -> [ServerCheck] {
        [
            expired(
                number,
                .error,
                section,
                "an upload whose time is up is whole or gone",
                script,
                life
            ) { last in
                .require(
                    [404, 410].contains(last.status)
                        || last.isSuccess && last.offset == UploadRequests.half,
                    "HEAD is answered by \(last.seen), Upload-Offset:"
                        + " \(last.fields["Upload-Offset"] ?? "none"); \(UploadRequests.half) were"
                        + " acknowledged"
                )
            },
            expired(
                number + 1,
                .warning,
                section,
                "an upload whose time is up is answered by 404 or 410",
                script,
                life
            ) { last in
                // It may have got more time.
                if let left = life(last), left > 0 { return .passed }
                return .require(
                    [404, 410].contains(last.status),
                    "HEAD is answered by \(last.seen)"
                )
            },
        ]
    }

    private static func expired(
        _ number: Int,
        _ level: ServerCheck.Level,
        _ section: String,
        _ rule: String,
        _ script: UploadScript,
        _ life: @escaping @Sendable (ProbeReply) -> Int?,
        judge: @escaping @Sendable (ProbeReply) -> ServerCheck.Verdict
    ) -> ServerCheck {
        let (requests, half) = (script.requests, UploadRequests.half)
        return script.check(number, level, section, rule) { upload, replies in
            switch replies.count {
            case 0: return .send(requests.append(to: upload, from: 0, to: half))
            case 1: return .send(requests.head(upload))
            default: break
            }
            guard replies[0].isSuccess else {
                return .ended(.doesNotApply("a part is answered by \(replies[0].seen)"))
            }
            guard let left = life(replies[1]) ?? life(replies[0]) else {
                return .ended(.doesNotApply("nothing says how long it is kept"))
            }
            guard left <= longestWait else {
                return .ended(.doesNotApply("it is kept for \(left) s, too long to wait for"))
            }
            switch replies.count {
            case 2: return .wait(milliseconds: UInt64(max(left, 0) + 1) * 1_000 + 500)
            case 3: return .send(requests.head(upload))
            default: return .ended(judge(replies[3]))
            }
        }
        .sharing("\(script.prefix)ended")
    }
}

extension ProbeReply {
    /// When it was made, by the clock of the server if it says.
    fileprivate var date: HTTPDate {
        let now = HTTPDate(secondsSince1970: atSeconds)
        return fields["Date"].flatMap { HTTPDate($0, now: now) } ?? now
    }

    /// Seconds until `Upload-Expires`.
    fileprivate var life: Int? {
        fields["Upload-Expires"].flatMap { HTTPDate($0, now: date) }
            .map { $0.secondsSince1970 - date.secondsSince1970 }
    }

    /// A member of `Upload-Limit`; nil if it is not there or cannot be read.
    fileprivate func limit(_ key: String) -> Int? {
        guard case .integer(let value)? = fields.structuredDictionary("Upload-Limit")?[key]?.value
        else { return nil }
        return value
    }

    fileprivate func hasReadableLimits(_ lifetimeKey: String) -> Bool {
        guard let limits = fields.structuredDictionary("Upload-Limit") else { return false }
        let known = ["max-size", "min-size", "max-append-size", "min-append-size", lifetimeKey]
        return limits.entries.allSatisfy { entry in
            guard known.contains(entry.key) else { return true }
            guard case .integer(let value)? = entry.value.value else { return false }
            return value >= 0
        }
    }
}
