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

    /// What it asks for, in a few words.
    package var title: String {
        switch self {
        case .r1: "bytes are not sent again that were there"
        case .r2: "the result is one whole version of the object"
        case .r3: "one resource is created for one upload"
        case .r4: "an upload completes once, and success means that it did"
        case .r5: "a continued download names the version it continues"
        case .r6: "an answer that does not fit is not joined to what was there"
        case .r7: "one request at a time works on an upload"
        case .r8: "offsets do not go back"
        case .r9: "an upload given up is deleted"
        case .r10: "an incomplete message is no success"
        case .b1: "retries come at growing distances"
        case .b2: "a failing server is not asked again at once"
        case .b3: "no retry is put off beyond the cap"
        case .b4: "retries are scattered"
        case .b5: "tries and time are limited"
        case .b6: "Retry-After is honoured"
        case .b7: "what cannot succeed is not repeated"
        case .b8: "a creation whose answer was lost is not repeated"
        case .b9: "after a failure the offset is asked for"
        case .b10: "a start that stores nothing does not reset the distances"
        case .b11: "an outage is waited for with few connects"
        case .b12: "one layer retries, not several"
        }
    }

    /// How it is measured, and what is allowed.
    package var measure: String {
        switch self {
        case .r1:
            "needless bytes from attempts below the confirmed offset: none for an upload, 64 KiB for"
                + " each cut of a download"
        case .r2: "compared with the object; inconclusive if nobody did"
        case .r3: "a second one only if the URL of the first never came, or it is gone"
        case .r4: "as the origin tells; a foreign server has to be asked"
        case .r5: "If-Range with the strong entity tag, else with the date; a weak tag fails"
        case .r6: "a 200, or a 206 of another place or version, where the rest was asked for"
        case .r7: "on the client's side, with 20 ms of tolerance"
        case .r8: "of one resource, as the server tells them"
        case .r9: "if the client failed for good; to be continued later is not giving up"
        case .r10: "short of its length, without its last chunk, or reset"
        case .b1:
            "fails if 4 or more come within 50 ms each, or 5 or more at nearly equal distances"
        case .b2: "50 ms after 429 and 5xx; after a failed connection at once is fine, once"
        case .b3: "as the client declares it, else 10 minutes"
        case .b4: "fails if all of 4 or more grow by the same factor; better judged over 8 runs"
        case .b5:
            "20 tries in a row that bring a transfer no further, and an end before the deadline"
        case .b6: "to 20 ms, a date to 1 s; garbage is ignored"
        case .b7: "400, 401, 403, 404, 405, 410, 415, 422, 501; of tus also 412"
        case .b8: "unless it carries the same Idempotency-Key"
        case .b9: "the first append after a failure uses an offset that was told after it"
        case .b10: "as B1, over all tries that started but stored nothing"
        case .b11: "6 connects a minute after the first 5"
        case .b12: "fails if all tries come in bursts of one size"
        }
    }

    /// Whether it counts only for whoever asks for it.
    package var isAdvisory: Bool {
        switch self {
        case .r1, .r9, .b3, .b4, .b8, .b11: true
        default: false
        }
    }
}
