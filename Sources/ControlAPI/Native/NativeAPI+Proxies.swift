internal import FaultInjection
internal import HTTPWire
internal import Journal
internal import LinkEngine
internal import LinkProfile
internal import Proxy

// Proxies and profiles.
extension NativeAPI {
    var proxies: ControlAnswer {
        .json(["proxies": [proxyDocument]], fields: ["ETag": tag])
    }

    func proxy(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        try checkProxy(parameters["proxy"])
        return .json(proxyDocument, fields: ["ETag": tag])
    }

    func checkProxy(_ name: String?) throws(Problem) {
        guard let name, name != Self.proxyName else { return }
        throw .notFound("There is no proxy of this name; this run has one, 'default'.")
    }

    private var proxyDocument: JSONValue {
        let snapshot = server.snapshot(rows: 0)
        return [
            "name": .string(Self.proxyName),
            "listeners": .array(
                server.routes.enumerated().map { index, route in
                    [
                        "listener": .number(index + 1), "listen": .string(route.listen),
                        "upstream": .string(route.upstream),
                    ]
                }
            ),
            "profile": .string(server.profile.name),
            "settings": settingsDocument,
            "seed": .number(program.seed),
            "conditions": [
                "paused": .bool(server.isPaused), "outage": .bool(server.outage.isPresent),
            ],
            "connections": [
                "open": .number(snapshot.openConnections),
                "total": .number(snapshot.totalConnections),
            ],
            "bytesUp": .number(snapshot.up.bytes), "bytesDown": .number(snapshot.down.bytes),
            "faults": .array(server.faults.map { .string($0.fault.canonicalText) }),
            "troubles": .number(snapshot.troubles),
        ]
    }

    private var settingsDocument: JSONValue {
        var object = JSONObject()
        // The last one of a key counts.
        for setting in settings.reversed() where object[setting.key] == nil {
            object.append(setting.key, .string(setting.value))
        }
        return .object(object)
    }

    // MARK: Changes

    /// Takes `{"profile": NAME, "settings": {KEY: VALUE}, "faults": [TEXT]}`.
    ///
    /// Whole: what is not given is as at the start of a run. Otherwise it stays, and settings lie
    /// over those of now.
    func change(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters,
        isWhole: Bool
    ) throws(Problem) -> ControlAnswer {
        try checkProxy(parameters["proxy"])
        try checkTag(request)
        var body = try RequestObject(try request.json())
        let name = body.text("profile")
        let over = readSettings(&body)
        let faults = readFaults(&body)
        try body.finish()
        let reference = name ?? (isWhole ? "none" : profileReference)
        // Another profile begins without the settings of the one before.
        let base = isWhole || name != nil ? [] : settings
        let all = base + (over ?? [])
        let isSwitched = isWhole || name != nil || over != nil
        // Whatever can be wrong is found before anything is changed.
        let profile = isSwitched ? try load(reference, all) : server.profile
        if isWhole || faults != nil { try check(faults ?? [], profile) }
        if isSwitched { try apply(profile, reference, all) }
        if isWhole || faults != nil { try replaceFaults(faults ?? []) }
        return .json(proxyDocument, fields: ["ETag": tag])
    }

    private func readSettings(_ body: inout RequestObject) -> [ProfileSetting]? {
        guard let value = body.value("settings") else { return nil }
        guard case .object(let object) = value else {
            body.note("settings", "expected an object of keys and values, as {\"delay\": \"80ms\"}")
            return nil
        }
        var settings: [ProfileSetting] = []
        for member in object.members {
            guard case .string(let text) = member.value else {
                body.note([
                    .init(
                        body.place(of: "settings") + JSONPointer.step(member.key),
                        "expected a text with a unit, as \"80ms\", found \(member.value.shown)"
                    )
                ])
                continue
            }
            settings.append(ProfileSetting(key: member.key, value: text))
        }
        return settings
    }

    private func readFaults(_ body: inout RequestObject) -> [Fault]? {
        guard let values = body.list("faults") else { return nil }
        var faults: [Fault] = []
        for (index, value) in values.enumerated() {
            let pointer = body.place(of: "faults") + "/\(index)"
            guard case .string(let text) = value else {
                body.note([.init(pointer, "expected a fault as text, found \(value.kindName)")])
                continue
            }
            do throws(ScheduleError) {
                faults.append(try Fault(parsing: text))
            } catch {
                body.note([.init(pointer, "column \(error.column): \(error.description)")])
            }
        }
        return faults
    }

    /// Throws if these cannot be the faults beside those of a profile.
    private func check(_ faults: [Fault], _ profile: Profile) throws(Problem) {
        let count = faults.count + profile.faults.count
        guard count <= ScheduleLimits.faults else {
            throw .invalid("/faults", "\(count) faults with the profile's; the most is 1024")
        }
        var mistakes: [Problem.Mistake] = []
        for (index, fault) in faults.enumerated() {
            do throws(ProxyError) {
                try server.requireOrigin(for: fault)
            } catch {
                mistakes.append(.init("/faults/\(index)", error.description))
            }
        }
        guard mistakes.isEmpty else { throw .invalid(mistakes) }
    }

    /// Imitates another network.
    private func apply(
        _ profile: Profile,
        _ reference: String,
        _ settings: [ProfileSetting]
    ) throws(Problem) {
        do throws(ProxyError) {
            try server.switchProfile(profile)
        } catch {
            throw Problem(409, "refused", error.description)
        }
        profileReference = reference
        self.settings = settings
        nameFaults()
        program.onProfile(profile)
        var detail: JSONObject = ["name": .string(profile.name)]
        if !settings.isEmpty { detail.append("settings", settingsDocument) }
        _ = record("profile", detail)
    }

    private func load(
        _ reference: String,
        _ settings: [ProfileSetting]
    ) throws(Problem) -> Profile {
        if let profile = ownProfiles[reference] {
            guard settings.isEmpty else {
                throw .invalid("/settings", "a profile that was put here takes no settings")
            }
            return profile
        }
        guard !ProfileLibrary.isPath(reference) else {
            throw .invalid("/profile", "expected a name; PUT a file's text to /v1/profiles/NAME")
        }
        do throws(ProfileError) {
            return try program.loadProfile(reference, settings)
        } catch {
            throw Problem(error)
        }
    }

    private func replaceFaults(_ faults: [Fault]) throws(Problem) {
        let kept = server.profile.faults
        for (id, fault) in server.faults where !kept.contains(fault) && !faults.contains(fault) {
            _ = server.remove(id)
        }
        for fault in faults where !server.faults.contains(where: { $0.fault == fault }) {
            _ = try arm(fault)
        }
        _ = record("faults", ["faults": .array(faults.map { .string($0.canonicalText) })])
    }

    // MARK: Profiles

    var profiles: ControlAnswer {
        let names = ownProfiles.keys.sorted() + program.profileNames()
        return .json([
            "profiles": .array(names.map { .string($0) }),
            "current": .string(server.profile.name),
        ])
    }

    func profile(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        let name = parameters["name"] ?? ""
        let profile = name == "current" ? server.profile : try load(name, [])
        return .json(ProfileDocument.json(profile))
    }

    /// Takes a profile as YAML or JSON under a name of its own, for this run.
    func putProfile(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters
    ) throws(Problem) -> ControlAnswer {
        let name = parameters["name"] ?? ""
        guard name != "current", name.utf8.count <= 64, name.utf8.allSatisfy(Self.isNameByte) else {
            throw .invalid("", "a profile's name has letters, digits, '-' and '_', 64 at most")
        }
        guard ownProfiles[name] != nil || ownProfiles.count < Self.ownProfileLimit else {
            throw Problem(409, "full", "There are \(Self.ownProfileLimit) profiles of this run.")
        }
        let isNew = ownProfiles[name] == nil
        let text = ProfileText(file: name, bytes: request.body)
        do throws(ProfileError) {
            ownProfiles[name] = try program.readProfile(text)
        } catch {
            throw Problem(error)
        }
        return .json(
            ["name": .string(name)],
            status: isNew ? 201 : 200,
            fields: ["Location": "/v1/profiles/\(name)"]
        )
    }

    private static let ownProfileLimit = 64

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
