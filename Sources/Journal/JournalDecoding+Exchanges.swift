internal import Basics

extension RequestReport {
    init?(_ members: RecordMembers, _ exchange: ExchangeID) {
        guard let method = members.text("method"), let target = members.text("target") else {
            return nil
        }
        self.init(
            exchange,
            method: method,
            target: target,
            framing: ReportedFraming(members),
            headBytes: members.number("head_bytes") ?? 0,
            fields: ReportedFields(members),
            isRacy: members.isTrue("racy"),
            isStream: members.text("http") == "2"
        )
    }
}

extension ResponseReport {
    init?(_ members: RecordMembers, _ exchange: ExchangeID) {
        guard let status: Int = members.number("status") else { return nil }
        self.init(
            exchange,
            status: status,
            framing: ReportedFraming(members),
            headBytes: members.number("head_bytes") ?? 0,
            fields: ReportedFields(members),
            interimOrdinal: members.type == "interim" ? members.number("k") ?? 1 : nil,
            isByFault: members.text("by") == "fault"
        )
    }
}

extension BodyReport {
    init?(_ members: RecordMembers, _ exchange: ExchangeID) {
        guard let side = members.text("dir").flatMap(MessageSide.init),
            let (bytes, isExact) = members.count("bytes")
        else {
            return nil
        }
        self.init(
            exchange,
            side,
            bytes: bytes,
            isExact: isExact,
            isComplete: members.isTrue("complete"),
            digest: members.text("sha256"),
            prefixDigest: members.text("first64k_sha256"),
            chunkEdges: members.numbers("chunks"),
            firstByteAt: members.instant("first_ns")
        )
    }
}

extension MessagesReport {
    init?(_ members: RecordMembers, _ exchange: ExchangeID) {
        guard let side = members.text("dir").flatMap(MessageSide.init),
            let kind = members.text("kind").flatMap(Kind.init),
            let (count, isExact) = members.count("count")
        else { return nil }
        self.init(
            exchange,
            side,
            kind,
            count: UInt32(clamping: count),
            partialBytes: members.count("partial")?.0 ?? 0,
            isExact: isExact,
            isWhole: members.isTrue("whole"),
            closeCode: members.number("close"),
            lastID: members.text("last_id") ?? members.text("last_id_approx"),
            retryMilliseconds: members.number("retry")
        )
        status = members.number("status")
        pushbackMilliseconds = members.isTrue("no_retry") ? -1 : members.number("pushback")
    }
}

extension ReportedFraming {
    fileprivate init(_ members: RecordMembers) {
        switch members.text("framing") {
        case "length": self = .length(members.number("length") ?? 0)
        case "chunked": self = .chunked
        case "close": self = .close
        default: self = .none
        }
    }
}

extension ReportedFields {
    fileprivate init(_ members: RecordMembers) {
        self.init(members.pairs("fields"))
    }
}
