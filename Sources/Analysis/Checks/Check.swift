/// A rule that a client is held to.
package enum Check: String, Hashable, Sendable, CaseIterable {
    case r1 = "R1"
    case r2 = "R2"
    case r3 = "R3"
    case r4 = "R4"
    case r5 = "R5"
    case r6 = "R6"
    case r7 = "R7"
    case r8 = "R8"
    case r9 = "R9"
    case r10 = "R10"
    case r11 = "R11"
    case b1 = "B1"
    case b2 = "B2"
    case b3 = "B3"
    case b4 = "B4"
    case b5 = "B5"
    case b6 = "B6"
    case b7 = "B7"
    case b8 = "B8"
    case b9 = "B9"
    case b10 = "B10"
    case b11 = "B11"
    case b12 = "B12"
    case q1 = "Q1"
    case q2 = "Q2"
    case q3 = "Q3"
    case q4 = "Q4"
    case q5 = "Q5"
    case h1 = "H1"
    case h2 = "H2"
    case h3 = "H3"
    case h4 = "H4"
    case h5 = "H5"
    case m1 = "M1"
    case m2 = "M2"
    case m3 = "M3"
    case m4 = "M4"
    case g1 = "G1"
    case g2 = "G2"
    case g3 = "G3"
    case t1 = "T1"
    case t2 = "T2"

    /// All of them in a few words, as in `R1 to R11, T1`.
    static let ranges: String = {
        var groups: [(first: String, last: String)] = []
        for name in allCases.map(\.rawValue) {
            if let group = groups.last, group.first.prefix(1) == name.prefix(1) {
                groups[groups.count - 1].last = name
            } else {
                groups.append((name, name))
            }
        }
        return groups.map { $0.first == $0.last ? $0.first : "\($0.first) to \($0.last)" }
            .joined(separator: ", ")
    }()

    /// The rule, in a few words.
    package var title: String {
        switch self {
        case .r1: "bytes that arrived are not sent again"
        case .r2: "the result is one whole version of the object"
        case .r3: "one upload creates one resource"
        case .r4: "an upload completes exactly once, and success means that it did"
        case .r5: "a continued download names the version it continues"
        case .r6: "a response that does not fit is not joined to earlier bytes"
        case .r7: "an upload has one request at a time"
        case .r8: "offsets never decrease"
        case .r9: "an abandoned upload is deleted"
        case .r10: "an incomplete message is not a success"
        case .r11: "what comes whole is taken"
        case .b1: "delays between retries grow"
        case .b2: "a failing server is not retried at once"
        case .b3: "no retry is delayed beyond the cap"
        case .b4: "retries are randomized"
        case .b5: "attempts and time are limited"
        case .b6: "Retry-After is honoured"
        case .b7: "what cannot succeed is not repeated"
        case .b8: "a creation whose response was lost is not repeated"
        case .b9: "after a failure the client asks for the offset"
        case .b10: "an attempt that stores nothing does not reset the delays"
        case .b11: "few connection attempts during an outage"
        case .b12: "one layer retries, not several"
        case .q1: "a QUIC server sends little to an address that it has not validated"
        case .q2: "a flow of datagrams survives a silence and a new address"
        case .q3: "a client without datagrams connects instead"
        case .q4: "a new path of a QUIC connection is validated"
        case .q5: "a QUIC connection is not used after its idle time"
        case .h1: "a stream that was not processed is tried again"
        case .h2: "a request that may have been processed is not repeated blindly"
        case .h3: "a connection that goes away gets no new stream"
        case .h4: "an incomplete stream is not a success"
        case .h5: "tries of refused streams are limited"
        case .m1: "a broken stream of messages is not a success"
        case .m2: "a client of events resumes after the last one"
        case .m3: "a client of messages comes back after a cut"
        case .m4: "a client of events waits for as long as it is told"
        case .g1: "a call that will fail again is not retried"
        case .g2: "a call is retried when its server says so"
        case .g3: "retries of a call are counted"
        case .t1: "a certificate that must be refused is refused"
        case .t2: "early data has only requests with safe methods"
        }
    }

    /// How it is measured, and what is allowed.
    package var measure: String {
        switch self {
        case .r1:
            "needless bytes from attempts below the confirmed offset: none for an upload, 64 KiB for"
                + " each cut of a download"
        case .r2: "compared with the object; inconclusive without a comparison"
        case .r3: "a second one only if the URL of the first never arrived, or the first is gone"
        case .r4: "as the origin reports; other servers must be checked separately"
        case .r5:
            "by If-Range with the strong entity tag, otherwise with the date; a weak tag fails"
        case .r6: "a 200, or a 206 for another place or version, although the rest was requested"
        case .r7: "seen from the client, with a tolerance of 20 ms"
        case .r8: "for one resource, as the server reports them"
        case .r9: "if the client failed permanently; a paused upload is not abandoned"
        case .r10:
            "shorter than its length, without its last chunk, or reset; under TLS also without"
                + " close_notify, if nothing else marks its end"
        case .r11:
            "fails if a command fails although, after an interruption, two responses without a"
                + " fault delivered one whole version"
        case .b1:
            "fails if 4 or more come within 50 ms each, or 5 or more after nearly equal delays"
        case .b2:
            "at least 50 ms after 429 and 5xx; after a failed connection, one immediate retry is fine"
        case .b3: "the cap that the client declares, or 10 minutes"
        case .b4: "fails if 4 or more delays all grow by the same factor; better judged over 8 runs"
        case .b5:
            "at most 20 attempts in a row without progress, and an end before the deadline"
        case .b6:
            "within 20 ms and 1 %, a date within 1 s; invalid values and more than a day are ignored"
        case .b7: "400, 401, 403, 404, 405, 410, 415, 422, 501; for tus also 412"
        case .b8: "unless it carries the same Idempotency-Key"
        case .b9: "the first append after a failure uses an offset reported after it"
        case .b10: "as B1, over all attempts that started but stored nothing"
        case .b11: "at most 6 a minute after the first 5"
        case .b12: "fails if all attempts come in bursts of one size"
        case .q1:
            "at most three times the bytes that reached it (RFC 9000 section 8.1); this judges the"
                + " server"
        case .q2:
            "after hole(TIME), rebind, forget or an outage of the link, datagrams arrive again, or the"
                + " command succeeds"
        case .q3: "if no flow gets an answer, and the server accepts connections on the same port"
        case .q4:
            "after rebind, once the handshake is confirmed, one of the server's first 10 packets carries"
                + " PATH_CHALLENGE, and the client answers with the same bytes; needs --quic-secrets"
        case .q5:
            "the shorter of both idle times, and three probe timeouts; a packet that closes it is fine;"
                + " needs --quic-secrets"
        case .h1: "after REFUSED_STREAM, or a GOAWAY that leaves it unprocessed"
        case .h2:
            "for POST and PATCH, unless the stream was refused, the request carries the same"
                + " Idempotency-Key, or it belongs to a resumable upload"
        case .h3: "counted from 20 ms after the answer to a PING that goes with the GOAWAY"
        case .h4: "as R10, for streams: reset, or ended before its length or without its trailers"
        case .h5: "at most 20 for one request, as B5"
        case .m1:
            "as R10, for a WebSocket without a close frame, which is an abnormal closure (1006), for events"
                + " that a fault or the server cut off, and for a gRPC call without the status in its"
                + " trailers; needs a command that claims success"
        case .m2: "by Last-Event-ID in the next request for the same, if an id had arrived"
        case .m3: "fails if a command fails without another request after such a cut"
        case .m4: "after `retry`, with a tolerance of 20 ms and 1 %"
        case .g1:
            "after INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED,"
                + " FAILED_PRECONDITION, OUT_OF_RANGE, UNIMPLEMENTED, DATA_LOSS or UNAUTHENTICATED, by"
                + " grpc-previous-rpc-attempts"
        case .g2:
            "by grpc-retry-pushback-ms, with a tolerance of 20 ms and 1 %; none after a negative or"
                + " unreadable value"
        case .g3: "by grpc-previous-rpc-attempts; inconclusive if attempts may not have been seen"
        case .t1: "fails if a client that gets one from a fault sends a request or any content"
        case .t2: "fails if an HTTP/1 request in early data is not GET, HEAD, OPTIONS or TRACE"
        }
    }

    /// Whether it measures times, which a busy machine falsifies.
    package var isOfTimes: Bool {
        switch self {
        case .r7, .b1, .b2, .b3, .b4, .b6, .b10, .b11, .b12, .m4, .g2, .q5: true
        case .r1, .r2, .r3, .r4, .r5, .r6, .r8, .r9, .r10, .r11, .b5, .b7, .b8, .b9: false
        case .q1, .q2, .q3, .q4, .h1, .h2, .h3, .h4, .h5, .m1, .m2, .m3, .g1, .g3: false
        case .t1, .t2: false
        }
    }

    /// How much a violation weighs, by how sure it is that it is one.
    package enum Level: String, Hashable, Sendable, CaseIterable {
        case error
        /// `explore` tells it, and fails with --strict only.
        case warning
        /// Counts only if it is asked for.
        case note
    }

    package var level: Level {
        switch self {
        case .r2, .r3, .r4, .r6, .r7, .r8, .r10, .b5, .b9, .h2, .h3, .h4, .h5, .m1: .error
        case .t1, .t2: .error
        // A matter of manners, or of milliseconds.
        case .r11, .b1, .b2, .b6, .b7, .b10, .b12, .m2, .m4, .g2: .warning
        case .r1, .r5, .r9, .b3, .b4, .b8, .b11, .h1, .m3, .g1, .g3: .note
        case .q1, .q2, .q3, .q4, .q5: .note
        }
    }

    /// Whether it counts only if it is asked for.
    package var isAdvisory: Bool { level == .note }

    /// What a violation is told as, unless its reason says more.
    package var findingClass: Finding.Class {
        switch self {
        case .r2, .r6: .corrupt
        case .r3, .r4, .b8, .h2: .duplicate
        case .r10, .h4, .m1: .dishonest
        case .r11, .h1, .m3: .giveup
        case .r1, .b5, .b7, .b11, .b12, .h5, .g1: .waste
        case .r5, .r7, .r8, .r9, .b1, .b2, .b3, .b4, .b6, .b9, .b10: .protocol
        case .q1, .q2, .q3, .q4, .q5, .h3, .m2, .m4, .g2, .g3, .t1, .t2: .protocol
        }
    }

    /// Where the rule stands; `practice` where no standard has it.
    package var source: String {
        switch self {
        case .r1: "RFC 9110, section 14"
        case .r2, .r11: "practice"
        case .r3, .r4, .r7, .r8, .r9, .b9: "draft-ietf-httpbis-resumable-upload; tus 1.0.0"
        case .r5: "RFC 9110, section 13.1.5"
        case .r6: "RFC 9110, sections 14.4 and 15.3.7"
        case .r10: "RFC 9112, section 8"
        case .b1, .b2, .b3, .b4, .b10, .b11, .b12: "practice"
        case .b5, .b8: "RFC 9110, section 9.2.2"
        case .b6: "RFC 9110, section 10.2.3"
        case .b7: "RFC 9110, section 15.5"
        case .h1, .h2, .h5: "RFC 9113, section 8.7"
        case .h3: "RFC 9113, section 6.8"
        case .h4: "RFC 9113, section 8.1.1"
        case .m1: "RFC 6455, section 7.1.5; WHATWG HTML, section 9.2.3; gRPC over HTTP/2"
        case .m2: "WHATWG HTML, section 9.2.3"
        case .m3: "RFC 6455, section 7.2.3; WHATWG HTML, section 9.2.3"
        case .m4: "WHATWG HTML, section 9.2.6"
        case .g1, .g2, .g3: "gRFC A6"
        case .t1: "RFC 5280, section 6; RFC 9525, section 6"
        case .t2: "RFC 8470, section 4"
        case .q1: "RFC 9000, section 8.1"
        case .q2: "RFC 9000, section 9"
        case .q3: "practice"
        case .q4: "RFC 9000, sections 8.2 and 9.3"
        case .q5: "RFC 9000, section 10.1"
        }
    }
}
