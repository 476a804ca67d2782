internal import Basics
internal import DNSWire
package import Faults

/// One fault and what it did.
package struct QueryFaultAccount: Hashable, Sendable {
    package let fault: QueryFault
    /// Queries that were counted for it.
    package internal(set) var counted: UInt32 = 0
    /// How often it was this query's turn.
    package internal(set) var chosen: UInt32 = 0
    package internal(set) var fired: UInt32 = 0
    /// Of its draws.
    private let random: AddressedRandom

    init(_ fault: QueryFault, seed: UInt64) {
        self.fault = fault
        random = AddressedRandom(seed: seed).named(fault.canonicalText)
    }

    /// Why it never acted, in words that are the same in equal runs; nil if it did.
    package var silence: UnreachedReason? {
        if fired > 0 { return nil }
        if counted == 0 { return .noQuery }
        return chosen == 0 ? .otherQueries : .nothingToChange
    }

    /// Counts a query.
    ///
    /// - Parameters:
    ///   - question: what is asked.
    ///   - ordinal: among the queries for this name and type.
    /// - Returns: whether it is this one's turn.
    mutating func choose(_ question: DNSMessage.Question, _ ordinal: UInt32) -> Bool {
        guard fault.concerns(question) else { return false }
        counted &+= 1
        guard fault.ordinals.names(counted), isDrawn(question, ordinal) else { return false }
        chosen &+= 1
        return true
    }

    private func isDrawn(_ question: DNSMessage.Question, _ ordinal: UInt32) -> Bool {
        guard let chance = fault.ordinals.chance else { return true }
        return draws(of: question).happens(
            chance,
            key: UInt64(ordinal),
            direction: .down,
            stage: .faultChance,
            index: 0
        )
    }

    /// An address that no machine has: one of those for documentation (RFC 5737 §3, RFC 3849 §2).
    func unusedAddress(_ question: DNSMessage.Question, _ ordinal: UInt32) -> NetworkAddress? {
        let last = draws(of: question).integer(
            below: 254,
            key: UInt64(ordinal),
            direction: .down,
            stage: .wrongAddress,
            index: 0
        )
        let byte = UInt8(last + 1)
        return question.type == .a
            ? NetworkAddress(bytes: [192, 0, 2, byte])
            : NetworkAddress(
                bytes: [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [byte]
            )
    }

    /// Draws depend on name, type and ordinal, so that queries for other names shift none of them.
    private func draws(of question: DNSMessage.Question) -> AddressedRandom {
        random.named("\(question.type.name) \(question.name.text)")
    }
}
