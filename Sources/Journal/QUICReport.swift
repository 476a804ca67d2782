internal import Basics

/// What the first packets of a QUIC connection show.
package struct QUICReport: Hashable, Sendable {
    /// `1`, `2` or hexadecimal.
    package var version: String
    /// Whom the client wants to reach (SNI); nil if it does not say.
    package var serverName: String?
    /// What it would speak (ALPN), in its order.
    package var protocols: [String]
    /// The connection ids of its first packet, in hexadecimal; clients choose them at random.
    package var destination: String
    package var source: String
    /// After how long without anything the client ends the connection; nil for never, or if it does not
    /// say.
    package var idleMilliseconds: UInt64?

    package init(
        version: String,
        serverName: String? = nil,
        protocols: [String] = [],
        destination: String = "",
        source: String = "",
        idleMilliseconds: UInt64? = nil
    ) {
        self.version = version
        self.serverName = serverName
        self.protocols = protocols
        self.destination = destination
        self.source = source
        self.idleMilliseconds = idleMilliseconds
    }

    var object: JSONObject {
        var own: JSONObject = ["version": .string(version)]
        if let serverName { own.append("sni", .string(serverName)) }
        if !protocols.isEmpty { own.append("alpn", .array(protocols.map { .string($0) })) }
        own.append("dcid_approx", .string(destination))
        own.append("scid_approx", .string(source))
        if let idleMilliseconds { own.append("max_idle_ms", .number(idleMilliseconds)) }
        return own
    }

    init?(_ members: RecordMembers) {
        guard let version = members.text("version") else { return nil }
        self.init(
            version: version,
            serverName: members.text("sni"),
            protocols: members.texts("alpn"),
            destination: members.text("dcid_approx") ?? "",
            source: members.text("scid_approx") ?? "",
            idleMilliseconds: members.number("max_idle_ms")
        )
    }
}
