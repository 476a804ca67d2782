internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO

/// `linkcond toxiproxy cli`: what `toxiproxy-cli` does.
struct ToxiproxyClientCommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        var words = invocation.operands[...]
        let verb = try ToxiproxyVerb.parse(&words)
        let arguments = try ArgumentParser.parse(
            words,
            as: verb.specification,
            path: invocation.path + [verb.name]
        )
        let client = try ToxiproxyClient(invocation.value("host") ?? "http://localhost:8474")
        defer { client.close() }
        try console.write(try carryOut(verb, arguments, client))
        return .success
    }

    private func carryOut(
        _ verb: ToxiproxyVerb,
        _ arguments: Invocation,
        _ client: ToxiproxyClient
    ) throws(Failure) -> [String] {
        let proxy = arguments.operands.first ?? ""
        switch verb {
        case .list: return Self.table(try client.send("GET", ["proxies"]), console)
        case .inspect: return Self.description(try client.send("GET", ["proxies", proxy]))
        case .create: return try create(proxy, arguments, client)
        case .toggle: return try toggle(proxy, client)
        case .delete:
            _ = try client.send("DELETE", ["proxies", proxy])
            return ["Deleted proxy \(proxy)"]
        case .addToxic: return try addToxic(to: proxy, arguments, client)
        case .updateToxic:
            let toxic = try Self.required("toxicName", arguments)
            let body = try Self.strength(arguments)
            _ = try client.send("POST", ["proxies", proxy, "toxics", toxic], body)
            return ["Updated toxic '\(toxic)' on proxy '\(proxy)'"]
        case .removeToxic:
            let toxic = try Self.required("toxicName", arguments)
            _ = try client.send("DELETE", ["proxies", proxy, "toxics", toxic])
            return ["Removed toxic '\(toxic)' on proxy '\(proxy)'"]
        }
    }

    // MARK: Changes

    private func create(
        _ proxy: String,
        _ arguments: Invocation,
        _ client: ToxiproxyClient
    ) throws(Failure) -> [String] {
        let body: JSONObject = [
            "name": .string(proxy), "listen": .string(try Self.required("listen", arguments)),
            "upstream": .string(try Self.required("upstream", arguments)), "enabled": true,
        ]
        _ = try client.send("POST", ["proxies"], body)
        return ["Created new proxy \(proxy)"]
    }

    private func toggle(_ proxy: String, _ client: ToxiproxyClient) throws(Failure) -> [String] {
        let now = try client.send("GET", ["proxies", proxy])["enabled"] == true
        _ = try client.send("POST", ["proxies", proxy], ["enabled": .bool(!now)])
        return ["Proxy \(proxy) is now \(now ? "disabled" : "enabled")"]
    }

    private func addToxic(
        to proxy: String,
        _ arguments: Invocation,
        _ client: ToxiproxyClient
    ) throws(Failure) -> [String] {
        guard !arguments.has("upstream") || !arguments.has("downstream") else {
            throw Failure(.usage, "give --upstream or --downstream, not both")
        }
        let stream = arguments.has("upstream") ? "upstream" : "downstream"
        let type = try Self.required("type", arguments)
        var body: JSONObject = ["type": .string(type), "stream": .string(stream)]
        if let name = arguments.value("toxicName") { body.append("name", .string(name)) }
        for member in try Self.strength(arguments).members { body.append(member.key, member.value) }
        let toxic = try client.send("POST", ["proxies", proxy, "toxics"], body)
        let name = toxic["name"].map(Self.plain) ?? ""
        return ["Added \(stream) \(type) toxic '\(name)' on proxy '\(proxy)'"]
    }

    private static func required(
        _ option: String,
        _ arguments: Invocation
    ) throws(Failure) -> String {
        if let value = arguments.value(option), !value.isEmpty { return value }
        throw Failure(.usage, "--\(option) is missing: \(arguments.name) --\(option) ... PROXY")
    }

    /// The attributes and toxicity that are given.
    private static func strength(_ arguments: Invocation) throws(Failure) -> JSONObject {
        var body: JSONObject = [:]
        var attributes: JSONObject = [:]
        let items = arguments.values("attribute").flatMap { $0.split(separator: ",") }
        for item in items {
            let halves = item.split(separator: "=", maxSplits: 1).map(String.init)
            guard halves.count == 2, attributes[halves[0]] == nil else {
                throw Failure(.usage, "--attribute '\(item)': write each KEY=VALUE once")
            }
            attributes.append(halves[0], try number(halves[1], "attribute \(halves[0])"))
        }
        if !attributes.isEmpty { body.append("attributes", .object(attributes)) }
        if let text = arguments.value("toxicity") ?? arguments.value("tox") {
            body.append("toxicity", try number(text, "toxicity"))
        }
        return body
    }

    private static func number(_ text: String, _ option: String) throws(Failure) -> JSONValue {
        if let value = try? JSONParser.parse(Array(text.utf8)[...], .document) {
            switch value {
            case .integer, .decimal: return value
            default: break
            }
        }
        throw Failure(.usage, "--\(option) '\(text)' is not a number")
    }

    // MARK: Texts

    /// A line for each proxy, with a heading on a terminal.
    private static func table(_ proxies: JSONObject, _ console: Console) -> [String] {
        let heading = ["Name", "Listen", "Upstream", "Enabled", "Toxics"]
        let rows = proxies.members.map { member -> [String] in
            let proxy = Members(member.value)
            let count = proxy.list("toxics").count
            return [
                member.key, proxy["listen"], proxy["upstream"], proxy["enabled"],
                count == 0 ? "None" : "\(count)",
            ]
        }
        let all = (console.output.isTerminal ? [heading] : []) + rows
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { TextLayout.pad(PrintableText.escaped($0), to: $1) }
            return cells.joined(separator: "  ")
        }
    }

    /// A proxy with its toxics, those of each stream below a heading.
    private static func description(_ proxy: JSONObject) -> [String] {
        let members = Members(.object(proxy))
        let state = members["enabled"] == "true" ? "" : " (disabled)"
        var lines = [
            "\(members["name"])\(state): \(members["listen"]) to \(members["upstream"])"
        ]
        let toxics = members.list("toxics").map(Members.init)
        for stream in ["upstream", "downstream"] {
            let found = toxics.filter { $0["stream"].lowercased() == stream }
            lines.append("\(stream): \(found.isEmpty ? "no toxics" : "")")
            lines += found.map { toxic in
                "  \(toxic["name"]): type=\(toxic["type"]) toxicity=\(toxic["toxicity"])"
                    + toxic.object("attributes").members.map { " \($0.key)=\(plain($0.value))" }
                    .joined()
            }
        }
        return lines.map(PrintableText.escaped)
    }

    /// The members of a value of which the server decides what it is.
    private struct Members {
        private let object: JSONObject

        init(_ value: JSONValue) {
            if case .object(let object) = value { self.object = object } else { object = [:] }
        }

        subscript(key: String) -> String { object[key].map(plain) ?? "" }

        func list(_ key: String) -> [JSONValue] {
            if case .array(let values)? = object[key] { values } else { [] }
        }

        func object(_ key: String) -> JSONObject {
            if case .object(let object)? = object[key] { object } else { [:] }
        }
    }

    /// A value without the quotation marks of JSON.
    private static func plain(_ value: JSONValue) -> String {
        if case .string(let text) = value { text } else { value.text }
    }
}
