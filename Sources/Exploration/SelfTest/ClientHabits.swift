internal import Basics

/// What a small client does; each planted mistake takes away something that is right.
struct ClientHabits: Hashable, Sendable {
    /// Asks for a part only of the version that it has (RFC 9110 §13.1.5).
    var namesItsVersion = true
    /// Begins anew when the whole comes instead of a part.
    var startsAnewWithWhole = true
    /// Takes a part only for the place that it belongs to (RFC 9110 §14.4).
    var checksContentRange = true
    /// Asks where an upload goes on, and asks again after a conflict.
    var asksForOffset = true
    /// Reads its source from the place where the upload goes on.
    var rewindsSource = true
    /// Waits longer and longer between tries.
    var waitsBetweenTries = true
    /// Tries that it makes at most; nil for no end.
    var maximumTries: Int? = 6
    /// Goes on with an upload whose address it knows.
    var remembersUpload = true
    /// Asks for the rest only.
    var resumes = true
    /// Takes an answer that comes before its request is sent.
    var hearsEarlyAnswers = true
    /// Ends a request that takes too long before it tries again.
    var endsOldRequest = true
    /// Has no use for what comes of a request that took too long.
    var dropsLateContent = true
    /// For how long nothing may come; long for a busy machine, short for somebody who waits for the self-test.
    var patience = Duration.milliseconds(1_500)
    /// Holds that no request takes too long.
    var hasTimeLimit = true
    /// Holds that a handshake does not take too long, either.
    var limitsHandshakes = true
    /// Refuses certificates that are not right.
    var checksCertificates = true
    /// Takes content whose end nothing tells for whole only if TLS says so.
    var noticesCuts = true
    /// Takes content whose rest was changed on its way for what it is.
    var noticesBadRecords = true
    /// Takes the content of a 4xx for what it is.
    var minds4xx = true
    /// Waits on its own if it cannot read for how long it should.
    var copesWithAnyRetryAfter = true
    /// Fails when a head is cut.
    var noticesCutHeads = true
    /// Truncates the file when the whole is shorter than the part that was there.
    var cutsOffTails = true
    /// Begins anew with each start.
    var forgetsEarlierStarts = true
    /// Waits for the final answer after an interim one.
    var awaitsFinalAnswer = true
    /// Creates an upload once more if the answer to its creation is lost.
    var repeatsCreation = true
    /// Takes the end of a stream for the end of its messages only if the stream was not broken.
    var noticesBrokenStreams = true
    /// Says after which event or message it comes back.
    var namesLastEvent = true
    /// Comes back to a stream of messages that broke.
    var comesBackToStreams = true
    /// Waits for as long as a stream of events says.
    var waitsAsEventsSay = true
    /// Opens a stream again that the server has not processed.
    var repeatsRefused = true
    /// Says of an order which one it is, so that it may be repeated.
    var namesItsOrders = true
    /// Opens streams on another connection once the server leaves this one.
    var leavesAfterGoAway = true
    /// Takes a stream for whole only if it has ended, with all of its content.
    var noticesCutStreams = true
    /// Takes a close frame for the end of the messages only if it says so.
    var mindsCloseCodes = true
    /// Sends a message again that was not answered.
    var repeatsUnanswered = true
    /// Takes a call for complete only if its status says so.
    var awaitsCallStatus = true
    /// Reports a failure as one.
    var isHonest = true

    init(_ conduct: RightConduct) {
        switch conduct {
        case .persistent: break
        case .singleAttempt: maximumTries = 1
        case .singleCreation: repeatsCreation = false
        }
    }

    init(_ bug: PlantedBug) {
        switch bug {
        case .noValidator, .joinsVersions: namesItsVersion = false
        case .keepsErrorPage: minds4xx = false
        case .appendsWhole: startsAnewWithWhole = false
        case .ignoresContentRange: checksContentRange = false
        case .givesUpAfterConflict: asksForOffset = false
        case .drainedSource: rewindsSource = false
        case .noInterval, .noSocketInterval: waitsBetweenTries = false
        case .unboundedTries: maximumTries = nil
        case .createsTwice: remembersUpload = false
        case .neverResumes: resumes = false
        case .missesEarlyAnswer: hearsEarlyAnswers = false
        case .twoAtOnce: endsOldRequest = false
        case .hangs, .awaitsPong: hasTimeLimit = false
        case .trustsAnyone: checksCertificates = false
        case .trustsEnds: noticesCuts = false
        case .needsSeconds: copesWithAnyRetryAfter = false
        case .takesHalfHeads: noticesCutHeads = false
        case .continuesAnyPart:
            forgetsEarlierStarts = false
            checksContentRange = false
            maximumTries = 1
        case .keepsTails: cutsOffTails = false
        case .continuesUnknownPart: forgetsEarlierStarts = false
        case .mixesAnswers:
            endsOldRequest = false
            dropsLateContent = false
            // Longer than the next answer is held up.
            patience = .milliseconds(3_500)
        case .takesInterims: awaitsFinalAnswer = false
        case .trustsBrokenStreams, .trustsSocketEnds: noticesBrokenStreams = false
        case .forgetsLastEvent, .forgetsLastMessage: namesLastEvent = false
        case .staysAway, .leavesSocket: comesBackToStreams = false
        case .ignoresRetryTime: waitsAsEventsSay = false
        case .abandonsRefused: repeatsRefused = false
        case .repeatsBlindly: namesItsOrders = false
        case .staysAfterGoAway: leavesAfterGoAway = false
        case .trustsCutStreams: noticesCutStreams = false
        case .hammersRefusals:
            waitsBetweenTries = false
            maximumTries = 60
        case .mindsNoCloseCode: mindsCloseCodes = false
        case .skipsUnanswered: repeatsUnanswered = false
        case .trustsCallEnds: awaitsCallStatus = false
        case .hangsInHandshake: limitsHandshakes = false
        case .trustsBadRecords: noticesBadRecords = false
        case .canary:
            isHonest = false
            // A busy machine must not end it before its fault acts.
            hasTimeLimit = false
        }
    }
}
