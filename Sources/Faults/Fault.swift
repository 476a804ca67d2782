/// One fault: in whose traffic, where in it, and what happens there.
///
/// Its text form, of which `canonicalText` is the one way that is written back:
/// ```
/// fault    = address "=" effect *( "," argument )
/// address  = where [ ":" anchor ]
/// where    = [ "host(" HOST ")/" ] "c" ord [ "/r" ord ]
///          / METHOD "(" [ "//" HOST ] glob ")#" ord / "obj(" glob ")#" ord
///          / "u" ord [ "/" TYPE ] / ( RECORD-TYPE / "*" ) "(" NAME ")#" ord
/// ord      = ( N / N ".." N / "*" / "*/" K / J "/" K ) [ "?" P "%" ]
/// anchor   = ( "up" / "down" ) [ "#" ord ] [ "?" P "%" ] / "idle(" TIME ")" ; of a flow, "u"
///          / "connect" / "idle" / ( "up" / "down" ) "+" BYTES [ ".." BYTES ]
///          / ( "req" / "resp" ) "." ( "head" / "body" / "end" / "chunk[" N "]" / "size[" N "]" / "last" ) [ offset ]
///          / "interim(" STATUS [ "#" ( N / "*" ) ] ")" [ offset ]
///          / "tls." ( "hello" / "handshake" / "record[" N "]" )
/// offset   = "+" BYTES [ ".." BYTES ] / "-" BYTES / "~" PER-MILLE
/// effect   = NAME [ "(" value *( "," value ) ")" ]
/// value    = [ NAME "=" ] ( address / TEXT )
/// argument = ( "far" / "see" / "gate" / "times" / "drain" / "burst" / "until" ) "=" value
/// ```
/// `up` is from the client to the upstream server. What is counted counts from 1, offsets from 0.
/// `FaultRules` says which effect acts where; bytes of a glob or TEXT beyond letters, digits and
/// `-_.:+/` are percent-encoded.
package struct Fault: Hashable, Sendable {
    package let address: FaultAddress
    package let effect: Effect
    package let options: FaultOptions

    /// Makes a fault; options that do not change its effect are left out.
    package init(_ address: FaultAddress, _ effect: Effect, _ options: FaultOptions = .init()) {
        self.address = address
        self.effect = effect
        self.options = FaultRules.normalized(options, of: effect, at: address)
    }

    /// Makes a fault of a connection.
    package init(
        connections: OrdinalSelector,
        anchor: Anchor,
        effect: Effect,
        far: FarEnding = .same
    ) {
        self.init(
            FaultAddress(.connections(connections), anchor),
            effect,
            FaultOptions(far: far)
        )
    }

    /// Reads one fault.
    ///
    /// - Throws: what is wrong, at its column in `text`.
    package init(parsing text: String) throws(ScheduleError) {
        var parser = try FaultParser(text)
        self = try parser.fault()
        try parser.end()
    }

    package var anchor: Anchor { address.anchor }
    package var far: FarEnding { options.far }

    package var canonicalText: String {
        "\(address.canonicalText)=\(effect.canonicalText)\(options.canonicalText)"
    }
}

extension Fault: Comparable {
    /// By address, then by text: the order of a schedule line.
    package static func < (a: Fault, b: Fault) -> Bool {
        if a.address < b.address { return true }
        if b.address < a.address { return false }
        return a.canonicalText < b.canonicalText
    }
}
