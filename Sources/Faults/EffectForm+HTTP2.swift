internal import HTTP2

// What is given to faults of HTTP/2.
extension EffectForm {
    /// `window(0,connection)`.
    static let window = EffectForm { a throws(ScheduleError) in
        try a.window()
    } write: { effect in
        guard case .withholdWindow(let isOfConnection) = effect else { return nil }
        return ["0"] + (isOfConnection ? ["connection"] : [])
    }

    /// `goaway(this,INTERNAL_ERROR)`.
    static let goAway = EffectForm { a throws(ScheduleError) in
        try a.goAway()
    } write: { effect in
        guard case .goAway(let code, let takesThis) = effect else { return nil }
        return (takesThis ? ["this"] : []) + (code == .none ? [] : [code.name])
    }
}

extension EffectArguments {
    /// `0`, and perhaps `connection`.
    fileprivate func window() throws(ScheduleError) -> Effect {
        guard let first = values.first, first.name == nil, first.text == "0" else {
            throw scanner.error("'window' takes 0, and 'connection' after it", at: start)
        }
        guard let second = values.dropFirst().first else {
            return .withholdWindow(ofConnection: false)
        }
        guard values.count == 2, second.name == nil, second.text == "connection" else {
            throw scanner.error("'window' takes 0, and 'connection' after it", at: second.at)
        }
        return .withholdWindow(ofConnection: true)
    }

    /// `this` and a code, each of which may be missing.
    fileprivate func goAway() throws(ScheduleError) -> Effect {
        let takesThis = values.first?.text == "this"
        let rest = values.dropFirst(takesThis ? 1 : 0)
        if let extra = rest.dropFirst().first {
            throw scanner.error("'goaway' takes 'this' and a code, in this order", at: extra.at)
        }
        let code = try rest.first.map { value throws(ScheduleError) in try errorCode(value) }
        return .goAway(code ?? .none, takesThis: takesThis)
    }
}
