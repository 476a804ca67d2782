internal import Basics

/// Writes a record without what differs between equal runs: keys sorted by their bytes, some left out
/// at any depth.
struct CanonicalForm: Hashable, Sendable {
    /// The members that are being written, of all objects around one another.
    private var order: [Int] = []

    /// Appends the form of the record `text`.
    mutating func write(_ text: JSONText, to bytes: inout [UInt8]) {
        write(objectAt: 0, text, to: &bytes, Self.racy)
    }

    private mutating func write(
        objectAt place: Int,
        _ text: JSONText,
        to bytes: inout [UInt8],
        _ leftOut: JSONKey? = nil
    ) {
        let outer = order.count
        let unwanted = leftOut.flatMap { text.place(of: $0, in: place) }
        var member = place + 1
        while member < text.nodes[place].next {
            if member != unwanted, !Self.isOutside(text, member) {
                insert(member, text, from: outer)
            }
            member = text.nodes[member].next
        }
        let all = outer..<order.count
        bytes.append(UInt8(ascii: "{"))
        // What stands side by side in the text is copied at once, with the commas between.
        var together = 0..<0
        for index in all {
            let node = text.nodes[order[index]]
            let start = node.key.lowerBound - 1
            if !together.isEmpty, together.upperBound + 1 == start {
                together = together.lowerBound..<(node.isStructure ? node.start : node.end)
            } else {
                bytes.append(contentsOf: text.bytes[together])
                if index > outer { bytes.append(UInt8(ascii: ",")) }
                together = start..<(node.isStructure ? node.start : node.end)
            }
            if node.isStructure {
                bytes.append(contentsOf: text.bytes[together])
                together = 0..<0
                write(structureAt: order[index], text, to: &bytes)
            }
        }
        bytes.append(contentsOf: text.bytes[together])
        bytes.append(UInt8(ascii: "}"))
        order.removeSubrange(all)
    }

    /// Inserts a member at its place among those from `first` on; most come in some order already.
    private mutating func insert(_ member: Int, _ text: JSONText, from first: Int) {
        var place = order.count
        order.append(member)
        while place > first, text.isKey(at: member, before: order[place - 1]) {
            order[place] = order[place - 1]
            place -= 1
        }
        order[place] = member
    }

    private mutating func write(
        structureAt place: Int,
        _ text: JSONText,
        to bytes: inout [UInt8]
    ) {
        guard text.kind(at: place) == .array else {
            return write(objectAt: place, text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in text.members(of: place) {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            let node = text.nodes[element]
            if node.isStructure {
                write(structureAt: element, text, to: &bytes)
            } else {
                bytes.append(contentsOf: text.bytes[node.range])
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Whether a key holds what differs between equal runs.
    private static func isOutside(_ text: JSONText, _ member: Int) -> Bool {
        let node = text.nodes[member]
        let key = node.key
        if key.count == 3, node.head == environment.head { return true }
        guard key.count >= 3 else { return false }
        let last = text.bytes[key.upperBound - 1]
        switch last {
        case UInt8(ascii: "s"):
            let unit = text.bytes[key.upperBound - 2]
            return (unit == UInt8(ascii: "n") || unit == UInt8(ascii: "m"))
                && text.bytes[key.upperBound - 3] == UInt8(ascii: "_")
        case UInt8(ascii: "x"): return text.bytes[key].suffix(7).elementsEqual("_approx".utf8)
        case UInt8(ascii: "d"):
            return key.count == byHand.text.utf8.count && node.head == byHand.head
        default: return false
        }
    }

    private static let environment: JSONKey = "env"
    private static let byHand: JSONKey = "by_hand"
    /// Of a record: whether two requests were under way at once depends on the moment, too.
    private static let racy: JSONKey = "racy"
}

extension JSONNode {
    fileprivate var isStructure: Bool { kind == .array || kind == .object }
}
