internal import Basics
internal import LinkEngine
internal import LinkProfile

/// The figures of a profile, short enough for lists; `-` where there is nothing to say.
struct ProfileFigures {
    /// Down and up in bit/s: `50M/10M`, or one figure where they are equal.
    let rate: String
    let roundTrip: String
    /// Down and up: the share alone; its model is for `profiles show`.
    let loss: String

    init(_ profile: Profile) {
        let link = profile.link
        rate = Self.both(
            LinkDescription.shortRate(link.down.capacity),
            LinkDescription.shortRate(link.up.capacity)
        )
        roundTrip = LinkDescription.roundTrip(link)
        loss = Self.both(Self.loss(link.down.loss), Self.loss(link.up.loss))
    }

    /// What there is to say, on one line.
    var text: String {
        var parts: [String] = []
        if rate != "-" { parts.append("\(rate.replacing("-", with: "∞")) bit/s") }
        if roundTrip != "-" { parts.append(roundTrip) }
        if loss != "-" { parts.append("loss \(loss)") }
        return parts.joined(separator: ", ")
    }

    private static func loss(_ model: LossModel) -> String {
        LinkDescription.loss(model).map { String($0.prefix { $0 != " " }) } ?? "-"
    }

    private static func both(_ down: String, _ up: String) -> String {
        down == up ? down : "\(down)/\(up)"
    }
}
