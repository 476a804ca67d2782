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

    /// Whether it counts only for whoever asks for it.
    package var isAdvisory: Bool {
        switch self {
        case .r1, .r9, .b3, .b4, .b8, .b11: true
        default: false
        }
    }
}
