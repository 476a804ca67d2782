internal import Basics
internal import HTTP2

// What faults do to a stream: what ends a connection of HTTP/1 ends the stream alone.
extension StreamGates {
    /// How a side is told that a stream has ended.
    private enum Ending {
        case reset
        case finish
        case silence
    }

    /// Lets a fault act at its place in a unit.
    func act(
        _ fault: ArmedFault,
        at unit: inout StreamUnit,
        _ direction: Direction,
        _ run: inout RequestRun
    ) {
        sendContent(of: &unit, direction)
        if case .exchange(_, .idle) = fault.place {
            // What acts when nothing is under way acts on the connection.
            return self[direction].answers.append(.act(fault))
        }
        switch fault.effect {
        case .slow, .stall, .crash: self[direction].answers.append(.act(fault))
        case .corrupt: corrupt(&unit, by: fault)
        case .reset, .swallow(_, ending: .rst): end(unit, by: fault, .reset, direction, &run)
        case .finish, .truncate, .swallow(_, ending: .fin), .status, .early:
            end(unit, by: fault, .finish, direction, &run)
        case .hole: end(unit, by: fault, .silence, direction, &run)
        case .resetOnNext, .late, .refuse, .silent, .down, .inject, .withhold, .duplicate, .edit,
            .buffer, .strip, .mutate, .range, .expire, .limit:
            preconditionFailure("'\(fault.effect.name)' ends no stream")
        }
    }

    private func corrupt(_ unit: inout StreamUnit, by fault: ArmedFault) {
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
        guard let stream = streams[unit.stream] else { return }
        notes.append(.fired(fault))
        let far: Ending =
            switch fault.far {
            case .same: ending
            case .rst: .reset
            case .fin: .finish
            case .hole: .silence
            }
        self[direction].endings += bytes(of: ending, stream, direction)
        self[direction.opposite].urgent += bytes(of: far, stream, direction.opposite)
        for direction in Direction.allCases {
            streams[stream.id]?.gate.close(direction, by: fault.id)
            let kept = stream[direction].kept.reduce(0) { $0 + $1.flowControlled - $1.sent }
            giveBack(kept, direction, stream: nil)
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
        case .finish, .reset:
            guard isKnown else { return [] }
            let code: ErrorCode = direction == .down ? .internalError : .cancel
            return FrameWriter.resetStream(code, stream: stream.id)
        }
    }
}
