internal import Basics
internal import HTTP2

// What effects do to a stream: what ends a connection of HTTP/1 ends the stream alone.
extension StreamGates {
    /// How a side is told that a stream has ended.
    private enum Ending {
        case reset
        case resetWith(ErrorCode)
        case finish
        case silence
    }

    /// Lets a fault act at its place in a unit.
    func act(
        _ fault: ArmedFault,
        at unit: StreamUnit,
        _ direction: Direction,
        _ run: inout RequestRun
    ) {
        sendContent(of: unit, direction)
        if case .exchange(_, .idle) = fault.place {
            // What acts when nothing is under way acts on the connection.
            return self[direction].answers.append(.act(fault))
        }
        switch fault.effect {
        case .slow(let rate):
            let pace = Pace(rate: rate, now: time)
            streams[unit.stream]?[direction].pace = pace
            hasPaced = true
            notes.append(.fired(fault))
        case .late: makeLate(unit.stream, by: fault)
        case .corrupt: corrupt(unit, by: fault)
        case .hole: end(unit, by: fault, .silence, direction, &run)
        case .resetStream(let code):
            end(
                unit,
                by: fault,
                client: .resetWith(code),
                server: far(fault, .reset),
                direction,
                &run
            )
        case .goAway(let code, let takesThis):
            let lastTaken = takesThis ? unit.stream : max(unit.stream, 2) - 2
            sayGoAway(code, lastTaken: lastTaken, after: unit.stream, &run)
            if takesThis {
                notes.append(.fired(fault))
            } else {
                end(unit, by: fault, client: .silence, server: .reset, direction, &run)
            }
        case .settings(let settings):
            announce(settings)
            notes.append(.fired(fault))
        case .withholdWindow(let isOfConnection):
            controlRules.stopWindows(of: isOfConnection ? nil : unit.stream)
            notes.append(.fired(fault))
        case .holdPings:
            controlRules.holdsPings = true
            notes.append(.fired(fault))
        case .malformed(let kind):
            self[.down].urgent += kind.bytes(on: unit.stream)
            notes.append(.fired(fault))
        case .crash: self[direction].answers.append(.act(fault))
        case let effect where effect.isStall || effect.actsInPassing:
            // The connection carries out what the stream survives and nothing here handles.
            self[direction].answers.append(.act(fault))
        default: end(unit, by: fault, nearEnding(of: fault), direction, &run)
        }
    }

    /// How the near side sees a fault that only ends what it acts on.
    private func nearEnding(of fault: ArmedFault) -> Ending {
        switch fault.effect.nearEnding {
        case .rst: .reset
        case .fin: .finish
        case nil: preconditionFailure("'\(fault.effect.name)' ends no stream")
        }
    }

    /// Resets a stream for the client; what of it is kept reaches the server once the fault is over.
    private func makeLate(_ id: UInt32, by fault: ArmedFault) {
        guard let stream = streams[id] else { return }
        self[.down].urgent += bytes(of: .reset, stream, .down)
        streams[id]?.isLate = true
        self[.up].answers.append(.act(fault))
    }

    /// Tells the client which streams are taken; of those after them nothing passes.
    private func sayGoAway(
        _ code: ErrorCode,
        lastTaken: UInt32,
        after stream: UInt32,
        _ run: inout RequestRun
    ) {
        for id in streams.keys.sorted() where id > stream {
            guard let later = streams[id] else { continue }
            self[.up].urgent += bytes(of: .reset, later, .up)
            cut.insert(id)
            forget(id, &run)
        }
        let payload = lastTaken.networkBytes + code.rawValue.networkBytes
        // Its answer shows that the client reads what comes with it. It goes before: some clients take no
        // frame after GOAWAY.
        self[.down].urgent += FrameWriter.frame(.ping, [], stream: 0, ControlFrameRules.mark)
        self[.down].urgent += FrameWriter.frame(.goAway, [], stream: 0, payload)
        self.lastTaken = min(lastTaken, self.lastTaken ?? .max)
    }

    /// Tells the client other settings; what it says to that is not for the server.
    private func announce(_ settings: [Effect.AnnouncedSetting]) {
        let allowed = self[.up].table ?? Setting.headerTable.range.upperBound
        let values = settings.map { setting in
            let most = setting.setting == .headerTable ? allowed : .max
            return (setting: setting.setting, value: min(setting.value, most))
        }
        for value in values where value.setting == .initialWindow {
            self[.up].announcedWindow = Int(value.value)
        }
        self[.down].urgent += FrameWriter.settings(values)
        controlRules.noteAnnouncement()
    }

    private func corrupt(_ unit: StreamUnit, by fault: ArmedFault) {
        guard unit.done < unit.content.count else { return }
        unit.content[unit.done] ^= fault.flippedBits
        unit.isAltered = true
        notes.append(.fired(fault))
    }

    /// Ends a stream for both sides: the receiver of the direction as the fault says, the other as its
    /// `far` does.
    private func end(
        _ unit: StreamUnit,
        by fault: ArmedFault,
        _ ending: Ending,
        _ direction: Direction,
        _ run: inout RequestRun
    ) {
        let far = far(fault, ending)
        let (client, server) = direction == .down ? (ending, far) : (far, ending)
        end(unit, by: fault, client: client, server: server, direction, &run)
    }

    /// The ending that `far` stands for.
    private func far(_ fault: ArmedFault, _ same: Ending) -> Ending {
        switch fault.far {
        case .same: same
        case .rst: .reset
        case .fin: .finish
        case .hole: .silence
        }
    }

    /// Ends a stream at a place in a direction, whose receiver first gets all that is before it.
    private func end(
        _ unit: StreamUnit,
        by fault: ArmedFault,
        client: Ending,
        server: Ending,
        _ direction: Direction,
        _ run: inout RequestRun
    ) {
        sendTrailers(of: unit, direction)
        guard let stream = streams[unit.stream] else { return }
        notes.append(.fired(fault))
        for (side, ending) in [(Direction.down, client), (.up, server)] {
            let frames = bytes(of: ending, stream, side)
            if side == direction {
                self[side].endings += frames
            } else {
                self[side].urgent += frames
            }
            streams[stream.id]?.gate.close(side, by: fault.id)
        }
        cut.insert(stream.id)
        forget(stream.id, &run, cutIn: direction)
    }

    /// What tells the receiver of a direction; nothing for one that does not know of the stream, or
    /// knows that it has ended.
    private func bytes(
        of ending: Ending,
        _ stream: GatedStream,
        _ direction: Direction
    ) -> [UInt8] {
        let lane = stream[direction]
        let isKnown = direction == .down || lane.hasBegun
        switch ending {
        case .silence: return []
        case .finish where lane.hasHead && !lane.hasEnded:
            return FrameWriter.data([], endsStream: true, stream: stream.id)
        case .finish where lane.hasEnded:
            // An answer that was whole before the request (RFC 9113 §8.1).
            return stream[direction.opposite].hasEnded || direction == .up
                ? [] : FrameWriter.resetStream(.none, stream: stream.id)
        case .finish, .reset, .resetWith:
            guard isKnown else { return [] }
            var code: ErrorCode = direction == .down ? .internalError : .cancel
            if case .resetWith(let given) = ending { code = given }
            return FrameWriter.resetStream(code, stream: stream.id)
        }
    }
}
