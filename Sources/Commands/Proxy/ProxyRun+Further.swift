internal import Arguments
internal import Basics
internal import ControlAPI
internal import HTTPWire
internal import LinkProfile
internal import YAML

/// A further proxy of the run, as `--proxies` or a configuration file describes it.
struct ProxyOrder: Sendable {
    let name: String
    /// What `POST /v1/proxies` takes.
    let document: JSONValue
    let origin: OptionOrigin

    /// Keys of an option's value, and what control calls them.
    private static let keys = [
        "listen": "listen", "upstream": "upstream", "profile": "profile", "set": "settings",
        "fault": "faults", "seed": "seed",
    ]

    /// Reads `NAME={upstream: 127.0.0.1:9001, profile: lte}`.
    ///
    /// - Throws: `usage` or `configuration`, with the place where it was given.
    init(_ option: Invocation.Option) throws(Failure) {
        origin = option.origin
        let parts = option.value.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else {
            throw origin.failure(
                "proxies",
                "'\(option.value)': write NAME={upstream: 127.0.0.1:9001, profile: lte}"
            )
        }
        name = String(parts[0])
        var diagnostics = Diagnostics()
        let text = Array(parts[1].utf8)
        let root = readYAML(text, file: .file("proxies"), into: &diagnostics)
        guard let root, case .mapping(let entries) = root.value, diagnostics.list.isEmpty else {
            throw origin.failure(
                "proxies",
                "\(name): expected a mapping of \(Self.keys.keys.sorted().joined(separator: ", "))"
            )
        }
        var object: JSONObject = ["name": .string(name)]
        for entry in entries {
            guard let key = Self.keys[entry.key] else {
                let known = Self.keys.keys.sorted()
                throw origin.failure(
                    "proxies",
                    "\(name): unknown key '\(entry.key)'"
                        + Suggestion.hint(for: entry.key, in: known)
                        + " (known: \(known.joined(separator: ", ")))"
                )
            }
            object.append(key, Self.json(entry.value, for: key))
        }
        document = .object(object)
    }

    /// All that were ordered; no name twice.
    static func all(_ invocation: Invocation) throws(Failure) -> [ProxyOrder] {
        var names: Set = [NativeAPI.proxyName]
        var orders: [ProxyOrder] = []
        for option in invocation.options("proxies") {
            let order = try ProxyOrder(option)
            guard names.insert(order.name).inserted else {
                throw order.origin.failure(
                    "proxies",
                    "\(order.name): there is a proxy of this name already; choose another"
                )
            }
            orders.append(order)
        }
        return orders
    }

    private static func json(_ node: Node, for key: String) -> JSONValue {
        switch (key, node.value) {
        case ("seed", .scalar(let text)): UInt64(text).map { JSONValue.number($0) } ?? .string(text)
        case ("faults", .scalar(let text)): [.string(text)]
        case (_, .scalar(let text)): .string(text)
        case (_, .sequence(let items)): .array(items.map { json($0, for: "") })
        case (_, .mapping(let entries)):
            .object(
                entries.reduce(into: JSONObject()) { object, entry in
                    object.append(entry.key, .string(entry.value.flowText))
                }
            )
        }
    }
}

// The proxies of a run beside its own.
extension ProxyRun {
    /// Makes them, each with its link, faults and seed.
    ///
    /// - Throws: the first mistake, where it was made.
    func startFurther() throws(Failure) {
        for order in options.further {
            let answer: ControlAnswer?
            do throws(Problem) {
                let head = RequestHead("POST", "/v1/proxies")
                let body = Array(order.document.text.utf8)
                answer = native?.answer(try ControlRequest(head, body: body))
            } catch {
                throw order.origin.failure("proxies", "\(order.name): \(error.detail)")
            }
            guard case .complete(let head, let body)? = answer,
                case .object(let document)? = try? JSONParser.parse(body[...], .document)
            else {
                throw Failure(.internalError, "--proxies: no answer")
            }
            guard head.status == 201 else {
                let words = document.text("detail") ?? "status \(head.status)"
                if head.status == 409 || head.status == 503 {
                    throw Failure(.unavailable, "--proxies \(order.name): \(words)")
                }
                throw order.origin.failure("proxies", "\(order.name): \(words)")
            }
            description.further.append(document)
        }
    }
}
