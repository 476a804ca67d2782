extension Check {
    /// Holds a run to all checks.
    ///
    /// - Returns: one result for each check, in their order.
    static func judge(_ context: CheckContext) -> [CheckResult] {
        allCases.map { $0.judge(context) }
    }

    private func judge(_ context: CheckContext) -> CheckResult {
        switch self {
        case .r1: context.checkResentBytes()
        case .r2: context.checkResult()
        case .r3: context.checkCreations()
        case .r4: context.checkCompletions()
        case .r5: context.checkValidators()
        case .r6: context.checkUnfittingAnswers()
        case .r7: context.checkOneRequestAtATime()
        case .r8: context.checkOffsetsRise()
        case .r9: context.checkDeletion()
        case .r10: context.checkIncompleteMessages()
        case .r11: context.checkWholeAnswers()
        case .b1: context.checkGrowth()
        case .b2: context.checkFloor()
        case .b3: context.checkCap()
        case .b4: context.checkJitter()
        case .b5: context.checkBudget()
        case .b6: context.checkRetryAfter()
        case .b7: context.checkHopeless()
        case .b8: context.checkLostCreations()
        case .b9: context.checkResynchronisation()
        case .b10: context.checkStartsWithoutProgress()
        case .b11: context.checkOutage()
        case .b12: context.checkLayers()
        case .q1: context.checkUnvalidatedAddresses()
        case .q2: context.checkInterruptedFlows()
        case .q3: context.checkFallback()
        case .q4: context.checkNewPaths()
        case .q5: context.checkIdleTimes()
        case .h1: context.checkRefusedStreams()
        case .h2: context.checkBlindRepetition()
        case .h3: context.checkLateStreams()
        case .h4: context.checkIncompleteStreams()
        case .h5: context.checkRefusedTries()
        case .m1: context.checkBrokenMessages()
        case .m2: context.checkResumedEvents()
        case .m3: context.checkReturn()
        case .m4: context.checkRetryTime()
        case .g1: context.checkRetriedStatuses()
        case .g2: context.checkPushback()
        case .g3: context.checkCountedRetries()
        case .t1: context.checkCertificates()
        case .t2: context.checkEarlyData()
        }
    }
}
