/// A classical mistake of clients, planted to see whether an exploration finds it.
package enum PlantedBug: String, Hashable, Sendable, CaseIterable {
    /// Goes on with a part of an object without saying which version it has.
    case noValidator = "P1"
    /// Takes a whole answer for the part that it asked for.
    case appendsWhole = "P2"
    /// Does not look where the part that came belongs.
    case ignoresContentRange = "P3"
    /// Guesses where an upload goes on, and gives up when the server says otherwise.
    case givesUpAfterConflict = "P4"
    /// Goes on with its source where it stopped reading, not where the server wants it.
    case drainedSource = "P5"
    /// Tries again without waiting.
    case noInterval = "P6"
    /// Never stops trying.
    case unboundedTries = "P7"
    /// Creates a second upload though it knows the first.
    case createsTwice = "P8"
    /// Begins anew each time.
    case neverResumes = "P9"
    /// While it resumes, does not listen before everything is sent.
    case missesEarlyAnswer = "P10"
    /// Sends again while the request before is still open.
    case twoAtOnce = "P11"
    /// Waits for a server without an end.
    case hangs = "P12"
    /// Takes any certificate for the server's.
    case trustsAnyone = "P13"
    /// Takes the end of a connection under TLS for the end of the content, with close_notify or without.
    case trustsEnds = "P14"
    /// Joins a part to the rest of another version.
    case joinsVersions = "P15"
    /// Takes the page of an error for the object.
    case keepsErrorPage = "P16"
    /// Gives up if it cannot read for how long to wait.
    case needsSeconds = "P17"
    /// Takes a head that was cut for the head of an empty answer.
    case takesHalfHeads = "P18"
    /// Goes on with what an earlier start has left, whatever it is a part of.
    case continuesAnyPart = "P19"
    /// Takes an interim answer for the final one.
    case takesInterims = "P20"
    /// Writes a whole that is shorter than its part over the beginning of it.
    case keepsTails = "P21"
    /// Takes care of versions, but for what an earlier start has left.
    case continuesUnknownPart = "P22"
    /// Adds what comes of a request that it gave up on to the answer of the next one.
    case mixesAnswers = "P23"
    /// Takes a stream of events that broke for a whole one.
    case trustsBrokenStreams = "P24"
    /// Comes back to a stream of events without saying which one was the last.
    case forgetsLastEvent = "P25"
    /// Gives up when a stream of events breaks.
    case staysAway = "P26"
    /// Comes back to a stream of events before the time that it named.
    case ignoresRetryTime = "P27"
    /// Gives up when a stream was refused.
    case abandonsRefused = "P28"
    /// Repeats a POST that the server may have processed.
    case repeatsBlindly = "P29"
    /// Opens streams on a connection after GOAWAY.
    case staysAfterGoAway = "P30"
    /// Takes a stream that was cut for a whole one.
    case trustsCutStreams = "P31"
    /// Opens a refused stream again at once, again and again.
    case hammersRefusals = "P32"
    /// Takes a connection that ends between two WebSocket messages for the end of the messages.
    case trustsSocketEnds = "P33"
    /// Comes back to a WebSocket without saying which message was the last.
    case forgetsLastMessage = "P34"
    /// Gives up when a WebSocket breaks.
    case leavesSocket = "P35"
    /// Comes back to a WebSocket without waiting.
    case noSocketInterval = "P36"
    /// Sends a ping to a silent server, and waits for the pong without an end.
    case awaitsPong = "P37"
    /// Takes any close frame for the end of the messages.
    case mindsNoCloseCode = "P38"
    /// Does not send a message again whose answer is missing.
    case skipsUnanswered = "P39"
    /// Takes a gRPC call that is cut between two messages for a complete one.
    case trustsCallEnds = "P40"
    /// Waits for a TLS handshake without a time limit, but has one for everything else.
    case hangsInHandshake = "P41"
    /// Takes a record of TLS that was changed on its way for the end of the content.
    case trustsBadRecords = "P42"
    /// Says that all is well as soon as anything fails: what a judge that can tell anything must see.
    case canary = "canary"

    /// For people: the mistake in a few words.
    package var meaning: String {
        switch self {
        case .noValidator: "resumes without a validator"
        case .appendsWhole: "appends a whole answer to its part"
        case .ignoresContentRange: "ignores Content-Range"
        case .givesUpAfterConflict: "does not recover from a 409"
        case .drainedSource: "retries from a drained source"
        case .noInterval: "retries at once, again and again"
        case .unboundedTries: "never stops trying"
        case .createsTwice: "creates an upload twice"
        case .neverResumes: "never resumes"
        case .missesEarlyAnswer: "misses an answer that comes before its body is sent"
        case .twoAtOnce: "has two appends at once"
        case .hangs: "waits without a time limit"
        case .trustsAnyone: "accepts any certificate"
        case .trustsEnds: "takes an end without close_notify for the end"
        case .joinsVersions: "joins parts of two versions"
        case .keepsErrorPage: "takes an error for the object"
        case .needsSeconds: "gives up over a Retry-After that it cannot read"
        case .takesHalfHeads: "takes half a head for an empty answer"
        case .continuesAnyPart: "continues what an earlier start left of another version"
        case .takesInterims: "takes an interim answer for the final one"
        case .keepsTails: "leaves the end of its part behind a shorter whole"
        case .continuesUnknownPart: "checks the version, but not of what an earlier start left"
        case .mixesAnswers: "reads on from a request that it gave up on"
        case .trustsBrokenStreams: "takes a broken stream of events for a whole one"
        case .forgetsLastEvent: "resumes events without Last-Event-ID"
        case .staysAway: "does not come back to a broken stream of events"
        case .ignoresRetryTime: "comes back to a stream of events too early"
        case .abandonsRefused: "gives up over a stream that was not processed"
        case .repeatsBlindly: "repeats a POST that may have been processed"
        case .staysAfterGoAway: "opens streams after GOAWAY"
        case .trustsCutStreams: "takes a cut stream for a whole one"
        case .hammersRefusals: "opens a refused stream again and again"
        case .trustsSocketEnds: "takes an end without a close frame for a normal end"
        case .forgetsLastMessage: "comes back to a WebSocket without the last message's number"
        case .leavesSocket: "does not come back to a broken WebSocket"
        case .noSocketInterval: "comes back to a WebSocket at once, again and again"
        case .awaitsPong: "waits for a pong without a time limit"
        case .mindsNoCloseCode: "takes any close frame for a normal end"
        case .skipsUnanswered: "does not repeat a message without an answer"
        case .trustsCallEnds: "takes a call that ends without a status for a success"
        case .hangsInHandshake: "waits for a TLS handshake without a time limit"
        case .trustsBadRecords: "mistakes a tampered TLS record for the end of the content"
        case .canary: "reports success after any failure"
        }
    }

    /// What the client that makes it does.
    package var work: SelfTestCase.Work {
        switch self {
        case .givesUpAfterConflict, .drainedSource, .createsTwice, .missesEarlyAnswer, .twoAtOnce:
            .upload
        case .trustsBrokenStreams, .forgetsLastEvent, .staysAway, .ignoresRetryTime: .events
        case .trustsSocketEnds, .forgetsLastMessage, .leavesSocket, .noSocketInterval,
            .awaitsPong, .mindsNoCloseCode:
            .messages
        case .skipsUnanswered: .sending
        case .abandonsRefused, .repeatsBlindly, .staysAfterGoAway, .trustsCutStreams,
            .hammersRefusals:
            .streams
        case .trustsCallEnds: .call
        default: .download
        }
    }

    /// Whether it is one in TLS, so that the client has to speak it.
    package var isInTLS: Bool {
        switch self {
        case .trustsAnyone, .trustsEnds, .hangsInHandshake, .trustsBadRecords: true
        default: false
        }
    }
}
