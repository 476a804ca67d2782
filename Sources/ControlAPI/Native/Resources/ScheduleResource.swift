internal import Basics
internal import Faults
internal import HTTPWire
internal import Journal
internal import LinkProfile
internal import Proxy

/// `/v1/schedule`: what was done, as what does it again.
struct ScheduleResource {
    let run: ControlledRun

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/schedule") { request, _ throws(Problem) in try schedule(request) }
        table.add("POST", "/v1/schedule") { request, _ throws(Problem) in try control(request) }
    }

    private enum Form: String, CaseIterable { case schedule, profile }

    /// `?as=profile&proxy=NAME`: as a profile; else as a schedule line, with what it cannot say.
    private func schedule(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["as", "proxy"])
        let proxy = try run.proxy(in: query)
        switch try query.choice("as", Form.self) ?? .schedule {
        case .schedule: return scheduleDocument(proxy)
        case .profile: return try sessionProfile(proxy.server)
        }
    }

    private func scheduleDocument(_ proxy: SteeredProxy) -> ControlAnswer {
        let server = proxy.server
        let schedule = server.manual.schedule
        let further = schedule.faults(without: server.faults.startFaults)
        return .json([
            "proxy": .string(proxy.name),
            "schedule": .string(schedule.canonicalText),
            "profile": .string(server.faults.startProfile.name),
            "command": .string(command(of: proxy)),
            "faults": .array(further.map { .string($0.canonicalText) }),
            "differences": .array(server.manual.recorder.differences.map { .string($0) }),
            "remarks": .array(server.manual.recorder.remarks.map { .string($0) }),
        ])
    }

    /// The command line that does again what was done so far.
    var command: String { command(of: run.fleet.own) }

    private func command(of proxy: SteeredProxy) -> String {
        let server = proxy.server
        let faults = server.manual.schedule.faults(without: server.faults.startProfile.faults)
            .map(\.canonicalText)
        if proxy === run.fleet.own { return run.program.command(faults) }
        var words = ["--profile", proxy.startReference]
        for setting in proxy.startSettings {
            words += ["--set", "\(setting.key)=\(setting.value)"]
        }
        for fault in faults { words += ["--fault", fault] }
        for route in server.routes {
            words += ["--upstream", route.upstream, "--listen", route.listen]
        }
        return run.program.commandLine(words + ["--seed", "\(server.seed)"])
    }

    /// Takes `{"action": "clear", "proxy": NAME}`: what was recorded so far is forgotten.
    private func control(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        enum Action: String, CaseIterable { case clear }
        var body = try RequestObject(try request.json())
        let choice = body.choice("action", Action.self)
        _ = body.require("action", choice, "clear")
        let name = body.text("proxy")
        try body.finish()
        let proxy = try run.proxy(named: name, at: "/proxy")
        proxy.server.manual.clearRecorder()
        return scheduleDocument(proxy)
    }

    private func sessionProfile(_ server: ProxyServer) throws(Problem) -> ControlAnswer {
        let profile = SessionProfile(server.profile, server.manual.schedule, server.manual.recorder)
        let text = profile.text
        do throws(ProfileError) {
            _ = try run.program.readProfile(
                ProfileText(file: SessionProfile.name, bytes: Array(text.utf8))
            )
        } catch {
            throw Problem(409, "unsayable", "No profile says this: \(Problem(error).detail)")
        }
        return .text(text, type: "application/yaml")
    }

    /// Notes what a replay of the run's own proxy has not: connections of other proxies.
    func noteFurther(_ record: JournalRecord, _ proxy: SteeredProxy?) {
        guard case .connection = record, let proxy, proxy !== run.fleet.own else { return }
        run.fleet.own.server.manual.noteDifference(
            "proxy '\(proxy.name)' had connections; what was done to them is at"
                + " /v1/schedule?proxy=\(proxy.name)"
        )
    }
}
