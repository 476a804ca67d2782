internal import Basics
internal import HTTPWire

/// Which action answers which method of which resource.
package struct RouteTable {
    /// The segments of a path that stand where a pattern has a name in braces.
    package typealias Parameters = [String: String]
    package typealias Action = (ControlRequest, Parameters) throws(Problem) -> ControlAnswer

    private struct Resource {
        let pattern: [String]
        var actions: [(method: String, action: Action)] = []

        /// The methods of this resource, for `Allow`.
        var allowed: String {
            let methods = actions.map(\.method)
            return (methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"])
                .joined(separator: ", ")
        }
    }

    private var resources: [Resource] = []

    package init() {}

    /// Every pattern with its methods, in the order in which they were added.
    package var patterns: [(path: String, methods: [String])] {
        resources.map { ("/" + $0.pattern.joined(separator: "/"), $0.actions.map(\.method)) }
    }

    /// Adds an action.
    ///
    /// - Parameters:
    ///   - method: such as `GET`; HEAD and OPTIONS are answered without an action.
    ///   - path: such as `/v1/faults/{id}`.
    ///   - action: what to do.
    package mutating func add(_ method: String, _ path: String, _ action: @escaping Action) {
        let pattern = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map(String.init)
        if let place = resources.firstIndex(where: { $0.pattern == pattern }) {
            resources[place].actions.append((method, action))
        } else {
            resources.append(Resource(pattern: pattern, actions: [(method, action)]))
        }
    }

    /// Lets the right action answer; problems of any kind become answers.
    package func answer(_ request: ControlRequest) -> ControlAnswer {
        do throws(Problem) {
            return try find(request)
        } catch {
            return .problem(error)
        }
    }

    private func find(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        guard let (resource, parameters) = resource(request.segments) else {
            throw .notFound("There is nothing at this path.\(hint(request.path))")
        }
        if request.method == "OPTIONS" {
            return .empty(204, fields: ["Allow": resource.allowed])
        }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let action = resource.actions.first(where: { $0.method == method })?.action else {
            throw Problem(
                405,
                "method",
                "This resource takes \(resource.allowed).",
                fields: ["Allow": resource.allowed]
            )
        }
        return try action(request, parameters)
    }

    private func resource(_ segments: [String]) -> (Resource, Parameters)? {
        for resource in resources {
            if let parameters = Self.match(resource.pattern, segments) {
                return (resource, parameters)
            }
        }
        return nil
    }

    private static func match(_ pattern: [String], _ segments: [String]) -> Parameters? {
        guard pattern.count == segments.count else { return nil }
        var parameters: Parameters = [:]
        for (part, segment) in zip(pattern, segments) {
            if part.hasPrefix("{") {
                guard !segment.isEmpty else { return nil }
                parameters[String(part.dropFirst().dropLast())] = segment
            } else if part != segment {
                return nil
            }
        }
        return parameters
    }

    private func hint(_ path: String) -> String {
        let known = patterns.map(\.path).filter { !$0.contains("{") }
        return NearestName.of(path, among: known).map { " Did you mean \($0)?" }
            ?? (known.first.map { " Begin at \($0)." } ?? "")
    }
}
