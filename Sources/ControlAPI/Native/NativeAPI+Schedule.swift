internal import FaultInjection
internal import HTTPWire
internal import Journal
internal import LinkEngine
internal import LinkProfile
internal import Proxy

// What was done, as what does it again.
extension NativeAPI {
    private enum Form: String, CaseIterable { case schedule, profile }

    /// `?as=profile`: as a profile; else as a schedule line, with what it cannot say.
    func schedule(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["as"])
        switch try query.choice("as", Form.self) ?? .schedule {
        case .schedule: return scheduleDocument
        case .profile: return try sessionProfile()
        }
    }

    private var scheduleDocument: ControlAnswer {
        let schedule = server.schedule
        let further = schedule.faults.filter { !server.startFaults.contains($0) }
        return .json([
            "schedule": .string(schedule.canonicalText),
            "profile": .string(server.startProfile.name),
            "command": .string(command),
            "faults": .array(further.map { .string($0.canonicalText) }),
            "differences": .array(server.recorder.differences.map { .string($0) }),
            "remarks": .array(server.recorder.remarks.map { .string($0) }),
        ])
    }

    /// The command line that does again what was done so far.
    var command: String {
        let own = server.startProfile.faults
        let faults = server.schedule.faults.filter { !own.contains($0) }
        return program.command(faults.map(\.canonicalText))
    }

    /// Takes `{"action": "clear"}`: what was recorded so far is forgotten.
    func controlSchedule(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        enum Action: String, CaseIterable { case clear }
        var body = try RequestObject(try request.json())
        let choice = body.choice("action", Action.self)
        _ = body.require("action", choice, "clear")
        try body.finish()
        server.clearRecorder()
        return scheduleDocument
    }

    private func sessionProfile() throws(Problem) -> ControlAnswer {
        let profile = SessionProfile(server.profile, server.schedule, server.recorder)
        let text = profile.text
        do throws(ProfileError) {
            _ = try program.readProfile(
                ProfileText(file: SessionProfile.name, bytes: Array(text.utf8))
            )
        } catch {
            throw Problem(409, "unsayable", "No profile says this: \(Problem(error).detail)")
        }
        return .text(text, type: "application/yaml")
    }
}
