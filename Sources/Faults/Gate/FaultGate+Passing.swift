internal import Basics
internal import HTTPWire

// How bytes pass: cut where something changes, counted and noted.
extension FaultGate {
    /// Does what comes before any waiting byte.
    mutating func nextStep(_ direction: Direction) -> Answer {
        switch lane(direction).steps.removeFirst() {
        case .endPace: return .endPace
        case .act(let fault):
            lane(direction).phase = .closed(by: fault.id)
            return .act(fault)
        case .insert(let bytes, let isOfStream):
            return .insert(bytes, contentOf: isOfStream ? insert(bytes.count, direction) : nil)
        case .copy(let bytes):
            lane(direction).progress.addContent(bytes.count)
            return .insert(bytes, contentOf: lane(direction).progress.request)
        }
    }

    /// Counts the head of an answer, or its content, that is not the sender's; the request that it is content
    /// of.
    private mutating func insert(_ count: Int, _ direction: Direction) -> UInt32? {
        reach(direction)
        let isContent = lane(direction).progress.span(count).isContent
        let request = isContent ? lane(direction).progress.request : nil
        lane(direction).progress.advance(count, isContent: isContent, isDelivered: true)
        reach(direction)
        return request
    }

    /// Passes waiting bytes up to what holds or changes them.
    mutating func move(_ direction: Direction, _ available: Int, _ ended: Bool) -> Answer {
        lane(direction).dropPastEdits()
        let passed = lane(direction).passed
        let limit = limit(direction)
        var room = UInt64(available)
        if limit <= passed {
            room = 0
        } else {
            room = min(room, limit - passed)
        }
        var isDropped = isDiverted(direction)
        var isReplaced = false
        if let edit = lane(direction).edits.first {
            if edit.range.lowerBound > passed {
                room = min(room, edit.range.lowerBound - passed)
            } else {
                room = min(room, edit.range.upperBound - passed)
                isReplaced = edit.isContent
                if let bytes = insertion(direction, before: passed + room) {
                    let request = isReplaced ? lane(direction).progress.request : nil
                    return .insert(bytes, contentOf: request)
                }
                isDropped = true
            }
        }
        if room > 0 {
            return advance(direction, Int(room), isDropped: isDropped, isReplaced: isReplaced)
        }
        guard available == 0, ended, !isHeld(direction, limit) else { return .wait }
        // The end itself may be what ends a message.
        reach(direction)
        lane(direction).phase = .finished
        return .finish
    }

    /// What the edit whose turn it is puts before a place of the stream; nil for nothing.
    ///
    /// What stands in the place of bytes counts as bytes of the connection.
    private mutating func insertion(_ direction: Direction, before place: UInt64) -> [UInt8]? {
        guard let edit = lane(direction).edits.first, edit.insertion != nil else { return nil }
        // Frames are whole, and what comes in addition counts nowhere.
        guard !edit.range.isEmpty, stream == nil || edit.isContent else {
            return lane(direction).edits.updateFirst { $0.takeInsertion() }
        }
        let limit = lane(direction).bytes.unobstructed ?? .max
        let bytes = lane(direction).edits.updateFirst {
            $0.takeInsertion(before: place, limit: limit)
        }
        guard !bytes.isEmpty else { return nil }
        lane(direction).bytes.pass(bytes.count)
        return bytes
    }

    private mutating func advance(
        _ direction: Direction,
        _ room: Int,
        isDropped: Bool,
        isReplaced: Bool
    ) -> Answer {
        reach(direction)
        let (count, isContent) = lane(direction).progress.span(room)
        let request = isContent ? lane(direction).progress.request : nil
        if direction == .down { isAnswerDelivered = false }
        // Of a request that the relay answers, the relay is the receiver.
        let isDelivered = !isDropped || isReplaced || direction == .up
        lane(direction).progress.advance(count, isContent: isContent, isDelivered: isDelivered)
        if !isDropped { lane(direction).bytes.pass(count) }
        if let left = lane(direction).lateBytes {
            lane(direction).lateBytes = left - min(left, UInt64(count))
        }
        reach(direction)
        return isDropped ? .drop(count, contentOf: request) : .pass(count, contentOf: request)
    }

    /// Notes what has been passed.
    mutating func reach(_ direction: Direction) {
        var reached: [GateNote] = []
        lane(direction).progress.reach(into: &reached)
        let passed = lane(direction).passed
        byteEvents.removeAll { event in
            guard event.direction == direction, event.offset <= passed else { return false }
            reached.append(.happened(event.index))
            return true
        }
        exchange?.events.removeAll { event in
            guard event.resolver.direction == direction, let target = event.resolver.target,
                target <= passed
            else { return false }
            reached.append(.happened(event.index))
            return true
        }
        for note in reached {
            if case .fired(let fault) = note { exchange?.noteActed(fault) }
            self.note(note)
        }
    }
}
