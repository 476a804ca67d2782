internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// Answers GET and HEAD of objects.
final class ObjectService {
    private let source: ObjectSource
    private let policy: ObjectPolicy
    private let tally: ObjectTally
    private let loop: EventLoop
    private let idleSeconds: Int
    private let now: () -> Int

    init(
        source: ObjectSource,
        policy: ObjectPolicy,
        tally: ObjectTally,
        loop: EventLoop,
        idleSeconds: Int,
        now: @escaping () -> Int
    ) {
        self.source = source
        self.policy = policy
        self.tally = tally
        self.loop = loop
        self.idleSeconds = idleSeconds
        self.now = now
    }

    /// - Parameters:
    ///   - exchange: not yet answered.
    ///   - mutations: what has become of all objects on request.
    func take(_ exchange: OriginExchange, _ mutations: [(Misbehaviour.Mutation, count: Int)]) {
        guard ["GET", "HEAD"].contains(exchange.head.method) else {
            return refuse(exchange)
        }
        guard let path = ObjectPath(exchange.head) else {
            return exchange.refuse(400, "This is not the path of an object.")
        }
        let prefersJSON = AcceptField.prefersJSON(exchange.head.fields.combined("Accept"))
        source.find(path, prefersJSON: prefersJSON) { [self] found in
            guard !exchange.isOver else { return }
            switch found {
            case .success(.object(let object)) where object.isGenerated: give(object, exchange)
            case .success(.object(let object)): serve(object, path, exchange, mutations)
            case .success(.redirect(let place)):
                exchange.answer(ResponseHead(301, fields: ["Location": place]))
            case .failure(let problem) where problem.status == 404:
                giveMessages(path, exchange, else: problem)
            case .failure(let problem): refuse(exchange, problem)
            }
        }
    }

    /// Gives events, or a WebSocket, where no file has their path.
    private func giveMessages(
        _ path: ObjectPath,
        _ exchange: OriginExchange,
        else problem: ObjectProblem
    ) {
        do throws(ObjectProblem) {
            if let feed = try WebSocketFeed(path) {
                return feed.begin(exchange, idleSeconds: idleSeconds)
            }
            guard let feed = try EventFeed(path) else { return refuse(exchange, problem) }
            let (head, body) = feed.answer(exchange.head, framing: policy.framing)
            exchange.answer(head, body)
        } catch {
            refuse(exchange, error)
        }
    }

    private func refuse(_ exchange: OriginExchange, _ problem: ObjectProblem) {
        let further: HeaderFields = problem.status == 503 ? ["Retry-After": "1"] : [:]
        exchange.refuse(problem.status, problem.text, further)
    }

    private func refuse(_ exchange: OriginExchange) {
        let allowed: HeaderFields = ["Allow": "GET, HEAD, OPTIONS"]
        guard exchange.head.method != "OPTIONS" else {
            return exchange.answer(ResponseHead(204, fields: allowed))
        }
        exchange.refuse(405, "Objects take GET and HEAD only; uploads go to /files/.", allowed)
    }

    /// Gives what was made for this answer alone.
    private func give(_ object: OriginObject, _ exchange: OriginExchange) {
        guard case .bytes(let bytes) = object.content else { return }
        let fields: HeaderFields = [
            "Content-Type": object.contentType, "Cache-Control": "no-store", "Vary": "Accept",
            "X-Content-Type-Options": "nosniff",
        ]
        exchange.answer(ResponseHead(200, fields: fields), .bytes(bytes))
    }

    private func serve(
        _ object: OriginObject,
        _ path: ObjectPath,
        _ exchange: OriginExchange,
        _ mutations: [(Misbehaviour.Mutation, count: Int)]
    ) {
        let now = now()
        let effects = exchange.effects.filter { !$0.isAvoided(by: exchange.head) }
        let fields: HeaderFields = [
            "Content-Type": object.contentType, "Cache-Control": "no-transform",
            "X-Content-Type-Options": "nosniff",
        ]
        let served = ServedObject(
            size: Int(clamping: object.size),
            validators: policy.validators(of: object, at: now),
            fields: fields
        ).after(mutations, effects)
        for (mutation, count) in mutations where count > 0 { exchange.note(.mutate(mutation)) }
        for effect in effects { exchange.note(effect) }
        let plan = RangePlan(
            exchange.head,
            to: served,
            settings: policy.rangeSettings,
            boundary: boundary(exchange.identifier),
            now: HTTPDate(secondsSince1970: now),
            effects: effects
        )
        tally.note(exchange, path, served, plan.kind)
        answer(exchange, plan, GivenContent(object, served))
    }

    private func answer(_ exchange: OriginExchange, _ plan: RangePlan, _ content: GivenContent) {
        guard content.suffices(for: plan) else {
            return content.complete(on: loop) { [self] result in
                guard !exchange.isOver else { return }
                switch result {
                case .success(let complete): answer(exchange, plan, complete)
                case .failure(let problem): exchange.refuse(problem.status, problem.text)
                }
            }
        }
        var body = MessageBody(plan.pieces.flatMap(content.segments))
        // What has no content of an object ends as it always does.
        if [.whole, .part, .parts].contains(plan.kind) { body.framing = policy.framing }
        exchange.answer(plan.head, body)
    }

    /// Not in the object, but for one chance in 2¹²⁸; the same in every run.
    private func boundary(_ exchange: ExchangeID) -> String {
        HexadecimalText.encode(KnownContent(seed: exchange.number ^ 0xB0_0DA7).bytes(0..<16))
    }
}
