internal import Basics
internal import HTTPWire
internal import Proxy

/// `/v1/path`: what the path is like.
struct PathResource {
    let run: ControlledRun
    let paths: PathKeeper

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/path") { _, _ in document }
        table.add("PUT", "/v1/path") { request, _ throws(Problem) in try put(request) }
        table.add("GET", "/v1/path/stream") { _, _ in stream }
    }

    private var document: ControlAnswer { .json(.object(paths.state.json)) }

    private var stream: ControlAnswer {
        .stream(ControlAnswer.head(200, ServerSentEvents.type)) { [paths] in paths.add($0) }
    }

    /// Overrides members of the status, whatever profile and link say; those that are not given
    /// follow profile and link again.
    private func put(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        enum Status: String, CaseIterable { case satisfied, unsatisfied }
        var body = try RequestObject(try request.json())
        var override = PathOverride()
        override.isSatisfied = body.choice("status", Status.self).map { $0 == .satisfied }
        override.isConstrained = body.truth("isConstrained")
        override.isExpensive = body.truth("isExpensive")
        override.interface = body.choice("interface")
        override.hasPower = body.truth("power")
        // So that what was got can be put back.
        _ = body.truth("betterPath")
        _ = body.number("seq", in: UInt64(0)...UInt64(Int64.max))
        try body.finish()
        let previous = paths.state
        paths.put(override)
        // What was got and is put back pins members, but the path stays as it was.
        if paths.state != previous {
            let words = paths.state.words
            run.server.manual.remark("a replay cannot change the path: it was \(words)")
        }
        _ = run.record("path", paths.state.json)
        return document
    }
}
