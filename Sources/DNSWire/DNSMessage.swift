/// A query or a response (RFC 1035 §4).
package struct DNSMessage: Hashable, Sendable {
    /// By which a response finds its query.
    package var id: UInt16
    package var flags: Flags
    package var questions: [Question]
    package var answers: [ResourceRecord] = []
    package var authorities: [ResourceRecord] = []
    /// Without the record of EDNS.
    package var additionals: [ResourceRecord] = []
    package var edns: EDNS?

    /// The second word of the header.
    package struct Flags: Hashable, Sendable {
        package var bits: UInt16

        package init(bits: UInt16) { self.bits = bits }

        package var isResponse: Bool {
            get { has(15) }
            set { set(15, newValue) }
        }
        /// 0 is a query; everything else asks for something else.
        package var operation: UInt16 { bits >> 11 & 15 }
        package var isAuthoritative: Bool {
            get { has(10) }
            set { set(10, newValue) }
        }
        /// Whether the answer did not fit and is to be asked for over TCP.
        package var isTruncated: Bool {
            get { has(9) }
            set { set(9, newValue) }
        }
        package var wantsRecursion: Bool {
            get { has(8) }
            set { set(8, newValue) }
        }
        package var offersRecursion: Bool {
            get { has(7) }
            set { set(7, newValue) }
        }
        /// Whether the server claims to have verified the answer (RFC 4035 §3.2.3).
        package var isAuthentic: Bool {
            get { has(5) }
            set { set(5, newValue) }
        }
        /// The lower four bits of the response code.
        package var code: UInt16 {
            get { bits & 15 }
            set { bits = bits & ~15 | newValue & 15 }
        }

        private func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }

        private mutating func set(_ bit: Int, _ value: Bool) {
            bits = bits & ~(1 << bit) | (value ? 1 << bit : 0)
        }
    }

    /// What is asked.
    package struct Question: Hashable, Sendable {
        package var name: DomainName
        package var type: RecordType
        /// 1 is the Internet.
        package var recordClass: UInt16

        package init(_ name: DomainName, _ type: RecordType, recordClass: UInt16 = 1) {
            self.name = name
            self.type = type
            self.recordClass = recordClass
        }
    }

    /// What the record OPT says (RFC 6891 §6.1.2, §6.1.3).
    package struct EDNS: Hashable, Sendable {
        /// Bytes of the longest datagram that the sender takes.
        package var payloadLimit: UInt16
        /// The upper eight bits of the response code.
        package var extendedCode: UInt8 = 0
        package var version: UInt8 = 0
        package var flags: UInt16 = 0
        package var options: [UInt8] = []

        package init(payloadLimit: UInt16) { self.payloadLimit = payloadLimit }
    }

    package init(id: UInt16, flags: Flags, questions: [Question]) {
        self.id = id
        self.flags = flags
        self.questions = questions
    }

    /// Bytes of the longest datagram without EDNS (RFC 1035 §4.2.1).
    package static let plainLimit = 512
    /// Bytes of the longest message over TCP, which has a length of two bytes before it (RFC 1035 §4.2.2).
    package static let limit = 65_535

    /// The response code in words.
    package var codeName: String {
        let number = flags.code | UInt16(edns?.extendedCode ?? 0) << 4
        return ResponseCode(rawValue: number)?.name ?? "code \(number)"
    }
}

/// What is known of a name (RFC 1035 §4.1.3).
package struct ResourceRecord: Hashable, Sendable {
    package var name: DomainName
    package var type: RecordType
    package var recordClass: UInt16
    /// For how many seconds it may be kept.
    package var lifetime: UInt32
    /// Without compressed names, so that it means the same in any message.
    package var data: [UInt8]

    package init(
        _ name: DomainName,
        _ type: RecordType,
        recordClass: UInt16 = 1,
        lifetime: UInt32,
        data: [UInt8]
    ) {
        self.name = name
        self.type = type
        self.recordClass = recordClass
        self.lifetime = lifetime
        self.data = data
    }

    /// The address of a record of type A or AAAA.
    package var address: NetworkAddress? {
        guard type == .a || type == .aaaa, let address = NetworkAddress(bytes: data),
            address.type == type
        else { return nil }
        return address
    }
}
