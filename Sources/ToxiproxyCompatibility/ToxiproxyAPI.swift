internal import Basics
internal import ControlAPI
internal import Journal

/// Translates between requests in Toxiproxy's vocabulary and the registry.
package final class ToxiproxyAPI {
    package let registry: ToxiproxyRegistry
    /// The metrics of the process; nil to leave them out.
    package var processMetrics: (() -> String)?
    /// Whether `/metrics` has the counters of proxies.
    package var showsProxyMetrics = false

    /// What clients take us for: they read the number and ask for at least 2.0.
    package static let version = "2.12.0"

    package init(registry: ToxiproxyRegistry) { self.registry = registry }

    package var hasMetrics: Bool { showsProxyMetrics || processMetrics != nil }

    /// Does what a request asks for.
    ///
    /// - Parameters:
    ///   - operation: what to do.
    ///   - names: of the path.
    ///   - body: content, for those that read it.
    ///   - done: called once on the loop; before this returns if no name has to be looked up.
    package func perform(
        _ operation: ToxiproxyOperation,
        _ names: [String],
        body: [UInt8] = [],
        then done: @escaping (ToxiproxyAnswer) -> Void
    ) {
        switch operation {
        case .createProxy: create(body, done)
        case .updateProxy: update(names[0], body, done)
        case .populate: populate(body, done)
        case .reset: reset(done)
        default:
            do throws(ToxiproxyError) {
                done(try answer(operation, names, body))
            } catch {
                done(.error(error))
            }
        }
    }

    /// What needs no address.
    private func answer(
        _ operation: ToxiproxyOperation,
        _ names: [String],
        _ body: [UInt8]
    ) throws(ToxiproxyError) -> ToxiproxyAnswer {
        switch operation {
        case .version:
            return .text(
                200,
                "{\"version\": \"\(Self.version)\"}\n",
                type: "application/json;charset=utf-8"
            )
        case .metrics: return metrics
        case .listProxies:
            return ToxiproxyAnswer(200, type: ToxiproxyAnswer.json, body: registry.listing)
        case .showProxy: return .json(200, try registry.proxy(names[0]).json)
        case .removeProxy: try registry.remove(names[0])
        case .listToxics: return .json(200, try registry.proxy(names[0]).toxicsJSON)
        case .createToxic: return try createToxic(names[0], body)
        case .showToxic: return .json(200, try toxic(names).json)
        case .updateToxic: return try updateToxic(names, body)
        case .removeToxic:
            try registry.removeToxic(names[1], of: try registry.proxy(names[0]))
        case .createProxy, .updateProxy, .populate, .reset: break
        }
        return .empty
    }

    // MARK: Proxies

    private func create(_ body: [UInt8], _ done: @escaping (ToxiproxyAnswer) -> Void) {
        var fields: ProxyFields
        do throws(ToxiproxyError) {
            fields = try ProxyFields(try GoJSON.parse(body))
        } catch {
            return done(.error(error))
        }
        find(fields.isEnabled ?? true ? [fields.listen ?? ""] : []) { addresses in
            do throws(ToxiproxyError) {
                let proxy = try self.registry.create(&fields, addresses)
                var answer = ToxiproxyAnswer.json(201, proxy.json)
                answer.warnings =
                    fields.warnings + addresses.warnings + proxy.toxics.flatMap(\.warnings)
                done(answer)
            } catch {
                done(.error(error))
            }
        }
    }

    private func update(
        _ name: String,
        _ body: [UInt8],
        _ done: @escaping (ToxiproxyAnswer) -> Void
    ) {
        let fields: ProxyFields
        let shown: String
        do throws(ToxiproxyError) {
            shown = try registry.proxy(name).listenText
            fields = try ProxyFields(try GoJSON.parse(body))
        } catch {
            return done(.error(error))
        }
        find([shown] + [fields.listen].compactMap { $0 }) { addresses in
            do throws(ToxiproxyError) {
                // It may have gone while a name was looked up.
                let proxy = try self.registry.proxy(name)
                try self.registry.update(proxy, fields, addresses)
                var answer = ToxiproxyAnswer.json(200, proxy.json)
                answer.warnings = fields.warnings + addresses.warnings
                done(answer)
            } catch {
                done(.error(error))
            }
        }
    }

    private func populate(_ body: [UInt8], _ done: @escaping (ToxiproxyAnswer) -> Void) {
        let given: [ProxyFields]
        do throws(ToxiproxyError) {
            given = try ProxyFields.list(try GoJSON.parse(body))
        } catch {
            return done(.populateError(error))
        }
        populate(given) { result, warnings in
            switch result {
            case .success(let made):
                var answer = ToxiproxyAnswer.json(
                    201,
                    .object(["proxies": made.isEmpty ? .null : .array(made.map(\.json))])
                )
                answer.warnings = given.flatMap(\.warnings) + warnings
                done(answer)
            case .failure(let error): done(.populateError(error))
            }
        }
    }

    /// Makes or replaces proxies, as a configuration file asks for.
    ///
    /// - Parameters:
    ///   - list: in this order.
    ///   - done: called once, on the loop, with warnings about addresses; before this returns if no
    ///     name has to be looked up.
    package func populate(
        _ list: [ProxyFields],
        then done: @escaping (Result<[NamedProxy], ToxiproxyError>, [String]) -> Void
    ) {
        find(list.map { $0.listen ?? "" } + registry.neverStarted) { addresses in
            var list = list
            do throws(ToxiproxyError) {
                done(.success(try self.registry.populate(&list, addresses)), addresses.warnings)
            } catch {
                done(.failure(error), [])
            }
        }
    }

    private func reset(_ done: @escaping (ToxiproxyAnswer) -> Void) {
        find(registry.neverStarted) { addresses in
            do throws(ToxiproxyError) {
                try self.registry.reset(addresses)
                done(.empty)
            } catch {
                done(.error(error))
            }
        }
    }

    private func find(_ texts: [String], then done: @escaping (ListenAddresses) -> Void) {
        ListenAddresses.find(
            texts,
            allowsRemote: registry.allowsRemote,
            on: registry.loop
        ) { [registry] addresses in
            for warning in addresses.warnings { registry.warn(warning) }
            done(addresses)
        }
    }

    // MARK: Toxics

    private func toxic(_ names: [String]) throws(ToxiproxyError) -> RegisteredToxic {
        guard let toxic = try registry.proxy(names[0]).toxic(names[1]) else {
            throw .toxicNotFound
        }
        return toxic
    }

    private func createToxic(
        _ name: String,
        _ body: [UInt8]
    ) throws(ToxiproxyError) -> ToxiproxyAnswer {
        let proxy = try registry.proxy(name)
        var fields = try ToxicFields(try GoJSON.parse(body))
        let toxic = try registry.addToxic(&fields, to: proxy)
        var answer = ToxiproxyAnswer.json(200, toxic.json)
        answer.warnings = fields.warnings + toxic.warnings
        return answer
    }

    private func updateToxic(
        _ names: [String],
        _ body: [UInt8]
    ) throws(ToxiproxyError) -> ToxiproxyAnswer {
        let proxy = try registry.proxy(names[0])
        _ = try toxic(names)
        var fields = try ToxicFields(try GoJSON.parse(body))
        let toxic = try registry.updateToxic(names[1], &fields, of: proxy)
        var answer = ToxiproxyAnswer.json(200, toxic.json)
        answer.warnings = fields.warnings + toxic.warnings
        return answer
    }

    // MARK: Texts

    private var metrics: ToxiproxyAnswer {
        var text = showsProxyMetrics ? ToxiproxyMetrics.text(of: registry.all) : ""
        text += processMetrics?() ?? ""
        return .text(200, text, type: MetricsText.type)
    }
}
