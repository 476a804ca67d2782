internal import ControlAPI
internal import LinkProfile
internal import Profiles
internal import SystemIO

extension ProfileCatalog {
    /// Every profile with what helps to choose one, by kind.
    func cards() -> [ProfileCard] {
        ProfileCard.grouped(userNames.map(card) + Self.builtinCards.value)
    }

    /// Begins to read the built-in profiles, so that connections do not wait for it once somebody chooses.
    static func prepareCards() { builtinCards.prepare() }

    /// They never change; reading all of them takes some ten milliseconds.
    private static let builtinCards = Prepared {
        Profiles.all.map { embedded in
            let text = ProfileText(file: embedded.file, bytes: embedded.bytes)
            return card(embedded.name, try? ProfileLibrary.builtinOnly().load(text))
        }
    }

    private func card(_ name: String) -> ProfileCard { Self.card(name, try? load(name)) }

    private static func card(_ name: String, _ profile: Profile?) -> ProfileCard {
        guard let profile else {
            return ProfileCard(
                name: name,
                kind: .other,
                summary: "cannot be read; linkcond profiles check FILE says why",
                figures: ""
            )
        }
        return ProfileCard(
            name: name,
            kind: profile.kind,
            summary: profile.summary,
            figures: ProfileFigures(profile).text
        )
    }
}
