package import Basics

// What is seen of the streams, and what ends them.
extension StreamGates {
    /// Returns what has been seen and done since the last time, but for the end of content that the
    /// connection is still to pass.
    package func takeNotes() -> [GateNote] {
        guard !notes.isEmpty else { return [] }
        let ahead = isClosed ? [] : notes.filter(isAhead)
        defer { notes = ahead }
        return ahead.isEmpty ? notes : notes.filter { !isAhead($0) }
    }

    private func isAhead(_ note: GateNote) -> Bool {
        guard case .body(let body) = note else { return false }
        return self[body.direction].answers.contains { $0.content == body.request }
    }

    /// Ends what holds a stream back because of this fault.
    package func resume(_ fault: ArmedFault) {
        guard let stream = streams.values.first(where: { $0.request == fault.request }) else {
            return
        }
        stream.gate.resume(fault.direction)
        stir(stream.id)
    }

    /// The direction in which an end waits for its receiver to take what is before it.
    package var directionToEnd: Direction? {
        Direction.allCases.first { !self[$0].endings.isEmpty }
    }

    /// Notes that the receiver of a direction has taken all that has passed.
    package func noteTaken(_ direction: Direction) {
        self[direction].urgent = self[direction].endings + self[direction].urgent
        self[direction].endings = []
    }

    /// Whether part of a request's content has passed, and part is still to come.
    package var isWithinRequest: Bool { streams.values.contains(where: \.isWithinRequest) }

    package var awaitsDelivery: Bool { streams.values.contains(where: \.awaitsDelivery) }

    package func noteAnswerDelivered() { forEachGate { $0.noteAnswerDelivered() } }

    /// Notes what did not happen and did not end; call it once, when the connection is over.
    package func close(run: inout RequestRun) {
        isClosed = true
        for id in streams.keys.sorted() { forget(id, &run) }
        notes += onNext.map { .unreached($0, .connectionEnded) }
    }

    /// Forgets a stream, with what is left to say of it; what was kept of it is thrown away.
    func forget(_ id: UInt32, _ run: inout RequestRun, cutIn direction: Direction? = nil) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        for side in Direction.allCases {
            self[side].covered -= stream[side].covered
            // What a fault has added, and has not been sent, is owed for no longer.
            giveBack(stream[side].kept.waiting + stream[side].added.count, side, stream: nil)
            stream[side].added = []
        }
        if let fault = stream.gate.takeResetOnNext(run) { onNext.append(fault) }
        if stream.isLive, !stream.up.hasBegun { cut.insert(id) }
        stream.gate.close(run: &run)
        let direction = stream.isLate ? .up : direction
        for note in stream.gate.takeNotes() {
            notes.append(direction.map { note.cut(in: $0) } ?? note)
        }
    }
}

extension FaultGate.Answer {
    /// The request whose content it moves; nil if it moves none.
    fileprivate var content: UInt32? {
        switch self {
        case .pass(_, let request), .drop(_, let request), .insert(_, let request): request
        case .act, .endPace, .finish, .wait: nil
        }
    }
}
