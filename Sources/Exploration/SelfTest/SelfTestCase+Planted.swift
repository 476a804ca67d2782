internal import Analysis
internal import Faults

extension SelfTestCase {
    /// The client with a planted mistake, and what finds it.
    init(_ bug: PlantedBug) {
        self.init(bug: bug, work: bug.work, isSecure: bug.isInTLS)
        // Clients of events wait for longer than others.
        campaign.runLimit = work == .events ? 60 : 120
        campaign.effects = [.finish]
        campaign.confirmations = Self.confirmations
        switch bug {
        case .noValidator:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "R5")
        case .appendsWhole:
            classes = [.corrupt]
            misbehaviour = "object:ignore-range"
        case .ignoresContentRange:
            classes = [.corrupt]
            misbehaviour = "object:shift-range=-1000"
        case .givesUpAfterConflict: classes = [.giveup]
        case .drainedSource: classes = [.lost]
        case .noInterval, .noSocketInterval:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "B1,B2")
            isTimed = true
        case .unboundedTries:
            classes = [.hang]
            deadlineMilliseconds = 4_000
        case .createsTwice: classes = [.duplicate]
        case .neverResumes:
            classes = [.waste]
            checks.expectation = try? Expectation(parsing: "R1")
            checks.maximumResentBytes = 1_000
        case .missesEarlyAnswer:
            classes = [.giveup]
            faultCount = 2
            campaign.effects = [.finish, .early]
            campaign.depth = 2
            campaign.runLimit = 400
        case .twoAtOnce:
            classes = [.protocol]
            campaign.effects = [.hole]
        case .hangs, .awaitsPong, .hangsInHandshake:
            classes = [.hang]
            campaign.effects = [.hole]
            deadlineMilliseconds = 4_000
        case .trustsAnyone:
            classes = [.protocol]
            campaign.effects = [.certificate]
        case .trustsEnds:
            classes = [.dishonest]
            campaign.effects = [.truncate]
            endsWithConnection = true
        case .trustsBadRecords:
            classes = [.dishonest]
            campaign.effects = [.corrupt]
            endsWithConnection = true
        case .joinsVersions:
            classes = [.corrupt]
            faultCount = 2
            campaign.effects = [.finish, .mutate]
            campaign.objectsChange = true
        case .keepsErrorPage:
            classes = [.dishonest]
            campaign.effects = [.status]
        case .needsSeconds:
            classes = [.giveup]
            campaign.effects = [.status]
        case .takesHalfHeads: classes = [.dishonest]
        case .continuesAnyPart, .keepsTails, .continuesUnknownPart:
            classes = [.corrupt]
            faultCount = 2
            campaign.effects = [.finish, .mutate]
            campaign.objectsChange = true
        case .mixesAnswers:
            classes = [.corrupt]
            faultCount = 2
            campaign.effects = [.hole, .stall]
        case .takesInterims:
            classes = [.giveup]
            campaign.effects = [.inject]
        case .trustsBrokenStreams: classes = [.dishonest]
        case .forgetsLastEvent:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "M2")
        case .staysAway, .leavesSocket:
            classes = [.giveup]
            checks.expectation = try? Expectation(parsing: "M3")
        case .ignoresRetryTime:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "M4")
        case .abandonsRefused:
            classes = [.giveup]
            checks.expectation = try? Expectation(parsing: "H1")
            campaign.effects = [.resetStream]
        case .repeatsBlindly:
            classes = [.duplicate]
            checks.expectation = try? Expectation(parsing: "H2")
            campaign.effects = [.reset]
        case .staysAfterGoAway:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "H3")
            campaign.effects = [.goAway]
        case .trustsCutStreams:
            classes = [.dishonest]
            campaign.effects = [.reset]
        case .hammersRefusals:
            classes = [.waste]
            checks.expectation = try? Expectation(parsing: "H5")
            campaign.effects = [.resetStream]
        case .trustsSocketEnds, .trustsCallEnds: classes = [.dishonest, .corrupt]
        case .forgetsLastMessage, .skipsUnanswered: classes = [.corrupt]
        case .mindsNoCloseCode:
            classes = [.dishonest, .corrupt]
            campaign.effects = [.closeFrame]
        case .canary:
            classes = [.dishonest]
            deadlineMilliseconds = 120_000
        }
    }
}
