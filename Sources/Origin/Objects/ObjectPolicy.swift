package import HTTPTransport
internal import HTTPWire
internal import ResumableServer

/// What is said of objects, and what is left unsaid (RFC 9110 §8.8, §14).
package struct ObjectPolicy: Hashable, Sendable {
    package enum Tags: String, CaseIterable, Hashable, Sendable { case strong, weak, none }
    package enum Dates: String, CaseIterable, Hashable, Sendable { case exact, coarse, none }

    package var tags = Tags.strong
    /// `exact` promises, where that is true, that no second change came within the second.
    package var dates = Dates.exact
    package var takesRanges = true
    package var takesSeveralRanges = true
    /// How answers with content of an object tell where it ends.
    package var framing = ContentFraming.length

    package init() {}

    /// Seconds after which a file's date is known to hold one change only (RFC 9110 §8.8.2.2).
    private static let settledSeconds = 2

    func validators(of object: OriginObject, at now: Int) -> Validators {
        let tag = tags == .none ? nil : object.tag
        let date = dates == .none ? nil : object.lastModified
        return Validators(
            entityTag: tag.map { EntityTag($0, isWeak: tags == .weak) },
            lastModified: date.map { HTTPDate(secondsSince1970: $0) },
            isLastModifiedStrong: dates == .exact
                && date.map { now - $0 >= Self.settledSeconds } == true
        )
    }

    var rangeSettings: RangePlan.Settings {
        var settings = RangePlan.Settings()
        settings.takesRanges = takesRanges
        settings.takesSeveral = takesSeveralRanges
        return settings
    }
}
