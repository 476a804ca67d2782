internal import HTTPWire
internal import ResumableServer

/// What was given of each object.
final class ObjectTally {
    private let limit: Int
    private var objects: [String: OriginState.Object] = [:]
    /// In the order in which they were first asked for.
    private var order: [String] = []
    private(set) var unlisted = 0

    /// - Parameter limit: objects that are listed.
    init(limit: Int) { self.limit = limit }

    var list: [OriginState.Object] { order.compactMap { objects[$0] } }

    /// Takes note of an answer that begins, and of its end.
    func note(
        _ exchange: OriginExchange,
        _ path: ObjectPath,
        _ object: ServedObject,
        _ kind: RangePlan.Kind
    ) {
        let key = "/\(path.text)" + (path.query.map { "?\($0)" } ?? "")
        if objects[key] == nil {
            guard order.count < limit else {
                unlisted += 1
                return
            }
            order.append(key)
        }
        var entry =
            objects[key]
            ?? OriginState.Object(path: key, size: 0, requests: 0, whole: 0, parts: 0, bytes: 0)
        entry.size = UInt64(object.size)
        entry.tag = object.validators.entityTag?.text
        entry.requests += 1
        objects[key] = entry
        exchange.onFinished = { [weak self] log in self?.finish(key, kind, log) }
    }

    private func finish(_ key: String, _ kind: RangePlan.Kind, _ log: AccessRecord) {
        guard log.method == "GET" else { return }
        objects[key]?.bytes += log.bytesOut
        guard log.outcome == .answered else { return }
        switch kind {
        case .whole: objects[key]?.whole += 1
        case .part, .parts: objects[key]?.parts += 1
        case .notModified, .preconditionFailed, .unsatisfiable: break
        }
    }
}
