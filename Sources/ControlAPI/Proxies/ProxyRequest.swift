internal import Basics
internal import Faults
internal import LinkProfile
internal import Proxy

/// What a request says of a proxy; nil where it says nothing.
struct ProxyRequest {
    var name: String?
    var listen: Endpoint?
    var upstream: Endpoint?
    var isEnabled: Bool?
    /// The name of a profile.
    var profile: String?
    var settings: [ProfileSetting]?
    var faults: [Fault]?
    var seed: UInt64?

    /// Reads `{"name", "listen", "upstream", "enabled", "profile", "settings", "faults", "seed"}`.
    init(_ request: ControlRequest) throws(Problem) {
        var body = try RequestObject(try request.json())
        name = body.text("name")
        listen = Self.endpoint("listen", &body)
        upstream = Self.endpoint("upstream", &body)
        isEnabled = body.truth("enabled")
        profile = body.text("profile")
        settings = Self.settings(&body)
        faults = Self.faults(&body)
        seed = body.number("seed", in: UInt64.min...UInt64.max)
        if let name, !ProxyName.isValid(name) { body.note("name", ProxyName.rule) }
        if let listen, listen.numericAddress == nil {
            body.note(
                "listen",
                "expected a numeric address, as 127.0.0.1:0, or unix:/path",
                suggestion: listen.isLocalhost ? "127.0.0.1:\(listen.port ?? 0)" : nil
            )
        }
        if let upstream, upstream.port == 0 {
            body.note("upstream", "port 0 is not a server's port; name the port")
        }
        try body.finish()
    }

    /// A request that says of the network alone what it is to be.
    init(profile: String) { self.profile = profile }

    private static func endpoint(_ key: String, _ body: inout RequestObject) -> Endpoint? {
        body.parsed(key) { text throws(ProxyError) in try Endpoint(parsing: text) }
    }

    private static func settings(_ body: inout RequestObject) -> [ProfileSetting]? {
        guard let value = body.value("settings") else { return nil }
        guard case .object(let object) = value else {
            body.note("settings", "expected an object of keys and values, as {\"delay\": \"80ms\"}")
            return nil
        }
        var settings: [ProfileSetting] = []
        for member in object.members {
            guard case .string(let text) = member.value else {
                body.note([
                    .init(
                        body.place(of: "settings") + JSONPointer.step(member.key),
                        "expected a text with a unit, as \"80ms\", found \(member.value.shown)"
                    )
                ])
                continue
            }
            settings.append(ProfileSetting(key: member.key, value: text))
        }
        return settings
    }

    private static func faults(_ body: inout RequestObject) -> [Fault]? {
        guard let values = body.list("faults") else { return nil }
        var faults: [Fault] = []
        for (index, value) in values.enumerated() {
            let pointer = body.place(of: "faults") + "/\(index)"
            guard case .string(let text) = value else {
                body.note([.init(pointer, "expected a fault as text, found \(value.kindName)")])
                continue
            }
            do throws(ScheduleError) {
                faults.append(try Fault(parsing: text))
            } catch {
                body.note([.init(pointer, "column \(error.column): \(error.description)")])
            }
        }
        return faults
    }
}

/// Names of proxies and profiles, as they stand in paths.
package enum ProxyName {
    package static let rule = "expected letters, digits, '-' and '_', 64 at most"

    package static func isValid(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.allSatisfy(isNameByte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension Endpoint {
    /// Nil for the path of a socket file.
    var port: UInt16? {
        guard case .tcp(_, let port) = self else { return nil }
        return port
    }

    var isLocalhost: Bool {
        guard case .tcp("localhost", _) = self else { return false }
        return true
    }
}
