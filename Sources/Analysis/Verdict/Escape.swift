internal import Basics
internal import HTTPWire
internal import Journal

// Signs that the command did its work past the proxy, so that the run proves nothing.
extension CheckContext {
    func findEscapes() -> [Finding] {
        var findings: [Finding] = []
        if evidence.foreignConnections > 0 {
            let count = Words.count(evidence.foreignConnections, "connection")
            findings.append(Finding(.escaped, "the origin got \(count) past the proxy"))
        }
        guard claimsSuccess ?? (evidence.oracle == .matches) else { return findings }
        if !transcript.connections.contains(where: \.hasTraffic) {
            findings.append(Finding(.escaped, "success without a byte through the proxy"))
        }
        if evidence.oracle == .matches {
            findings += transfers.filter(isShort).map { transfer in
                Finding(
                    .escaped,
                    "\(transfer.name) is there, but not all of it came through the proxy",
                    lines: transfer.attempts.map(\.lastLine)
                )
            }
        }
        return findings + detours.map { Finding(.escaped, $0.words, lines: [$0.line]) }
    }

    /// Whether fewer bytes of a download were delivered than its object has; for uploads the server
    /// decides.
    ///
    /// Where answers with one entity tag differ over the length, the smallest one counts: a server may have
    /// told an untruth of a file that came whole.
    private func isShort(_ transfer: Transfer) -> Bool {
        guard transfer.kind == .download, !transfer.isComplete, let size = transfer.size else {
            return false
        }
        let answered = transfer.attempts.compactMap { attempt in
            exchange(attempt)?.response.map { (range: attempt.range, answer: $0.value) }
        }
        let tag = answered.last?.answer.fields.entityTag
        let parts = tag == nil ? [] : answered.filter { $0.answer.fields.entityTag == tag }
        var came = Coverage()
        for part in parts { came.insert(part.range) }
        let told = parts.compactMap(\.answer.toldSize).min() ?? size
        return max(came.count, transfer.coverage.count) < min(size, told)
    }

    /// The first detour by which the result certainly came past the proxy: it is right, or the answer
    /// led to the proxy's own upstream.
    func findCertainDetour() -> String? {
        guard claimsSuccess ?? false else { return nil }
        return detours.first {
            evidence.oracle == .matches || transcript.servers.contain($0.target.place)
        }?.words
    }

    /// Answers that lead to another authority, behind which nothing more was seen of the transfer.
    private var detours: [Detour] {
        transfers.compactMap { transfer in
            guard !transfer.isComplete, let last = transfer.attempts.last,
                let exchange = exchange(last), let elsewhere = exchange.otherAuthority
            else {
                return nil
            }
            return Detour(
                target: elsewhere,
                words: "\(transfer.name) was sent on to \(elsewhere.text), past the proxy",
                line: exchange.lastLine
            )
        }
    }
}

/// An answer that led a client past the proxy.
private struct Detour {
    let target: Authority
    let words: String
    let line: Int
}

/// The authority of a URL.
private struct Authority {
    /// As it is written.
    let text: String
    /// Nil if that is no host with a port.
    let place: ServerPlace?
}

extension ConnectionTrace {
    fileprivate var hasTraffic: Bool {
        requestCount > 0 || end.map { max($0.value.up.bytes, $0.value.down.bytes) > 0 } ?? true
    }
}

extension ResponseReport {
    /// The length of the whole object, as a complete or a partial answer tells it.
    fileprivate var toldSize: UInt64? {
        if status == 200 { return fields.contentLength }
        guard case .part(_, let length?) = fields.contentRange else { return nil }
        return UInt64(clamping: length)
    }
}

extension Exchange {
    /// Another authority than the one that was asked, named by `Location` or `Content-Location`.
    fileprivate var otherAuthority: Authority? {
        guard let host = request.value.fields["host"] else { return nil }
        for answer in answers {
            for name in ["location", "content-location"] {
                guard let url = answer.value.fields[name], let text = URLText.authority(of: url)
                else { continue }
                let isSecure = url.lowercased().hasPrefix("https:")
                let place = ServerPlace(text, isSecure: isSecure)
                let isSame =
                    text == host || place != nil && place == ServerPlace(host, isSecure: isSecure)
                if !isSame { return Authority(text: text, place: place) }
            }
        }
        return nil
    }
}
