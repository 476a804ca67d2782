extension Axis {
    /// The positions where behaviour may change, in order: the edges of head, content and chunks, those
    /// of lines in the head of a response, and in its content also the powers of two.
    package func boundaries(
        chunkEdges: [UInt64] = [],
        headEdges: [UInt64] = []
    ) -> [UInt64] {
        var positions: Set<UInt64> = [0, end]
        positions.formUnion(headEdges.filter { $0 < head })
        switch kind {
        case .up, .down:
            positions.formUnion([1, body / 2].filter { $0 < body })
            if body > 0 { positions.insert(body - 1) }
            positions.formUnion(powersOfTwo)
        case .interim: break
        case .request:
            if head > 0 { positions.formUnion([head - 1, head]) }
            if body > 0 { positions.formUnion([head + 1, head + body / 2, head + body - 1]) }
        case .response:
            if head > 0 { positions.formUnion([min(1, head - 1), head - 1, head]) }
            if body > 0 { positions.formUnion([head + 1, head + body / 2, head + body - 1]) }
            positions.formUnion(powersOfTwo.map { head + $0 })
            positions.formUnion(chunkEdges.filter { $0 < body }.map { head + $0 })
            if framing == .chunked { positions.insert(head + body) }
        }
        return positions.sorted()
    }

    /// The few positions that stand for all where a run costs time: the start, behind the head,
    /// the first content byte, the middle, and just before the end.
    package var landmarks: [UInt64] {
        switch kind {
        case .up, .down: return Array(Set([0, body / 2, body > 0 ? body - 1 : 0])).sorted()
        case .interim: return [0]
        case .request, .response:
            guard body > 0 else { return head > 1 ? [0, head - 1] : [0] }
            return Array(Set([0, head, head + 1, head + body / 2, head + body - 1])).sorted()
        }
    }

    /// The landmarks, and those beside them that spare a search for an edge in the head: each of its steps
    /// would wait.
    var waitingPlaces: [UInt64] {
        switch kind {
        case .request, .response: Array(Set(landmarks + [min(1, head), max(1, head) - 1])).sorted()
        case .up, .down, .interim: landmarks
        }
    }

    private var powersOfTwo: [UInt64] {
        (0..<UInt64.bitWidth).lazy.map { UInt64(1) << UInt64($0) }.prefix { $0 < body } + []
    }

    /// How far apart two unequal neighbours may stay: below 64 KiB nothing, else a hundredth.
    package var tolerance: UInt64 { body < 65_536 ? 1 : max(1, body / 100) }
}
