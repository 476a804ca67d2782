internal import Basics
internal import HTTPWire
internal import LinkProfile
internal import Proxy
internal import YAML

/// `/v1/profiles`: those that can be loaded, and those that were put here for this run.
final class ProfilesResource {
    private let run: ControlledRun
    /// Profiles of this run alone.
    private var ownProfiles: [String: Profile] = [:]

    init(_ run: ControlledRun) { self.run = run }

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/profiles") { [self] request, _ throws(Problem) in
            try list(request)
        }
        table.add("GET", "/v1/profiles/{name}") { [self] request, p throws(Problem) in
            try show(request, p)
        }
        table.add("PUT", "/v1/profiles/{name}") { [self] request, p throws(Problem) in
            try put(request, p)
        }
    }

    /// `?proxy=NAME&details=true`: names of all, and of the one that a proxy has; with details their
    /// groups and figures, too.
    private func list(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["proxy", "details"])
        let proxy = try run.proxy(in: query)
        let names = ownProfiles.keys.sorted() + run.program.profileNames()
        var document: JSONObject = [
            "profiles": .array(names.map { .string($0) }),
            "current": .string(proxy.server.profile.name),
        ]
        if try query.truth("details") ?? false {
            document.append("details", .array(cards.map(\.document)))
        }
        return .json(.object(document))
    }

    private var cards: [ProfileCard] {
        let own = ownProfiles.sorted { $0.key < $1.key }.map { name, profile in
            ProfileCard(name: name, kind: profile.kind, summary: profile.summary, figures: "")
        }
        return ProfileCard.grouped(own + run.program.profileCards())
    }

    /// A profile by its name; `current?proxy=NAME` is the one that a proxy has.
    private func show(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters
    ) throws(Problem) -> ControlAnswer {
        let name = parameters["name"] ?? ""
        let query = try RequestQuery(request, ["proxy"])
        if name == "current" {
            return .json(ProfileDocument.json(try run.proxy(in: query).server.profile))
        }
        guard query.value("proxy") == nil else {
            throw RequestQuery.wrong("proxy", "only 'current' is a proxy's; leave it out")
        }
        return .json(ProfileDocument.json(try load(name, [])))
    }

    /// Stores a profile, as YAML or JSON, under its name for this run.
    private func put(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters
    ) throws(Problem) -> ControlAnswer {
        let name = parameters["name"] ?? ""
        guard name != "current", ProxyName.isValid(name) else {
            throw .invalid("", "a profile's name has letters, digits, '-' and '_', 64 at most")
        }
        guard ownProfiles[name] != nil || ownProfiles.count < Self.ownProfileLimit else {
            throw Problem(409, "full", "There are \(Self.ownProfileLimit) profiles of this run.")
        }
        let isNew = ownProfiles[name] == nil
        let text = ProfileText(file: name, bytes: request.body)
        do throws(ProfileError) {
            ownProfiles[name] = try run.program.readProfile(text)
        } catch {
            throw Problem(error)
        }
        return .json(
            ["name": .string(name)],
            status: isNew ? 201 : 200,
            fields: ["Location": "/v1/profiles/\(name)"]
        )
    }

    /// Loads a profile that a request names.
    func load(
        _ reference: String,
        _ settings: [ProfileSetting]
    ) throws(Problem) -> Profile {
        if let profile = ownProfiles[reference] {
            guard settings.isEmpty else {
                throw .invalid("/settings", "a profile that was put here takes no settings")
            }
            return profile
        }
        guard !isYAMLPath(reference) else {
            throw .invalid("/profile", "expected a name; PUT a file's text to /v1/profiles/NAME")
        }
        do throws(ProfileError) {
            return try run.program.loadProfile(reference, settings)
        } catch {
            throw Problem(error)
        }
    }

    private static let ownProfileLimit = 64
}
