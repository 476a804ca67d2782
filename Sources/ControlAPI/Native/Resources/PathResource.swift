internal import HTTPWire
internal import Journal

// What the path is like.
extension NativeAPI {
    var pathDocument: ControlAnswer { .json(.object(paths.state.json)) }

    var pathStream: ControlAnswer {
        .stream(ControlAnswer.head(200, ServerSentEvents.type)) { [paths] in paths.add($0) }
    }

    /// Takes members of a status, which are told from now on whatever profile and link say; those
    /// that are not given are told as profile and link say.
    func putPath(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        enum Status: String, CaseIterable { case satisfied, unsatisfied }
        var body = try RequestObject(try request.json())
        var override = PathOverride()
        override.isSatisfied = body.choice("status", Status.self).map { $0 == .satisfied }
        override.isConstrained = body.truth("isConstrained")
        override.isExpensive = body.truth("isExpensive")
        override.interface = body.choice("interface")
        override.hasPower = body.truth("power")
        // So that what was got can be put back.
        _ = body.number("seq", in: UInt64(0)...UInt64(Int64.max))
        try body.finish()
        paths.put(override)
        _ = record("path", paths.state.json)
        return pathDocument
    }
}
