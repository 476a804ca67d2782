internal import Journal

/// Finds the transfers in a transcript.
///
/// A download is all GET and HEAD of one target, redirects followed. An upload is a creation and all
/// requests on the URL learnt from it; a like creation after a failure belongs to it.
struct TransferReader {
    private enum Reading {
        case download(DownloadReading)
        case upload(UploadReading)
    }

    private let transcript: Transcript
    /// In order of their first requests.
    private var readings: [Reading] = []
    /// Target by the path that it redirected to.
    private var redirects: [String: String] = [:]

    static func transfers(in transcript: Transcript) -> [Transfer] {
        var reader = TransferReader(transcript: transcript)
        for exchange in transcript.exchanges { reader.add(exchange) }
        return reader.concluded()
    }

    private init(transcript: Transcript) { self.transcript = transcript }

    private mutating func add(_ exchange: Exchange) {
        let path = URLText.path(of: exchange.target, base: "/")
        if addToUpload(exchange, owning: path) { return }
        if exchange.method == "GET" || (exchange.method == "HEAD" && !exchange.isAboutUpload) {
            addToDownload(exchange, path)
        } else if exchange.beginsUpload {
            addToLikeUpload(exchange, path)
        }
        followRedirect(exchange, path)
    }

    private mutating func addToUpload(_ exchange: Exchange, owning path: String) -> Bool {
        for place in readings.indices.reversed() {
            guard case .upload(var reading) = readings[place], reading.owns(path) else { continue }
            reading.add(exchange, transcript)
            readings[place] = .upload(reading)
            return true
        }
        return false
    }

    private mutating func addToDownload(_ exchange: Exchange, _ path: String) {
        let target = redirects[path] ?? path
        for place in readings.indices.reversed() {
            guard case .download(var reading) = readings[place], reading.transfer.target == target,
                !reading.isClosed(to: exchange)
            else {
                continue
            }
            reading.add(exchange, transcript)
            readings[place] = .download(reading)
            return
        }
        var reading = DownloadReading(target: target)
        reading.add(exchange, transcript)
        readings.append(.download(reading))
    }

    private mutating func addToLikeUpload(_ exchange: Exchange, _ path: String) {
        for place in readings.indices.reversed() {
            guard case .upload(var reading) = readings[place], reading.isRepeated(by: exchange)
            else {
                continue
            }
            reading.add(exchange, transcript)
            readings[place] = .upload(reading)
            return
        }
        var reading = UploadReading(exchange, isResumable: exchange.isAboutUpload)
        // An upload that an earlier process began: its URL is all that is known of it.
        if exchange.request.value.fields.uploadOffset != nil || exchange.method == "HEAD" {
            reading.adopt(path)
        }
        reading.add(exchange, transcript)
        readings.append(.upload(reading))
    }

    private mutating func followRedirect(_ exchange: Exchange, _ path: String) {
        guard let status = exchange.status, (300..<400).contains(status), status != 304,
            let location = exchange.response?.value.fields["location"]
        else {
            return
        }
        let next = URLText.path(of: location, base: exchange.target)
        if next != path { redirects[next] = redirects[path] ?? path }
    }

    private func concluded() -> [Transfer] {
        var transfers = readings.map { reading in
            switch reading {
            case .download(let reading): reading.concluded()
            case .upload(let reading): reading.concluded()
            }
        }
        addOpaque(to: &transfers)
        addFailedConnects(to: &transfers)
        for place in transfers.indices {
            transfers[place].gaps = RetryGap.between(transfers[place].attempts)
        }
        return transfers
    }

    private func addOpaque(to transfers: inout [Transfer]) {
        let opaque = transcript.connections.filter(transcript.isOpaque)
        guard !opaque.isEmpty else { return }
        var transfer = Transfer(kind: .opaque, target: "")
        transfer.attempts = opaque.map { Attempt($0, .opaque) }
        transfers.append(transfer)
    }

    /// Gives connections that failed before any request to the transfer that they most likely served:
    /// the one that had failed last before, or else the one that went on first behind.
    private func addFailedConnects(to transfers: inout [Transfer]) {
        let failed = transcript.connections.filter {
            $0.requestCount == 0 && !transcript.isOpaque($0)
                && ($0.failure != nil || $0.isTurnedAway)
        }
        guard !failed.isEmpty else { return }
        if transfers.isEmpty { transfers.append(Transfer(kind: .opaque, target: "")) }
        for trace in failed {
            let attempt = Attempt(trace, .connect)
            let place = Self.place(for: attempt, in: transfers)
            let attempts = transfers[place].attempts
            let index = attempts.firstIndex { $0.beganNanoseconds > attempt.beganNanoseconds }
            transfers[place].attempts.insert(attempt, at: index ?? attempts.endIndex)
        }
    }

    private static func place(for attempt: Attempt, in transfers: [Transfer]) -> Int {
        let time = attempt.beganNanoseconds
        func lastFailure(_ transfer: Transfer) -> UInt64? {
            let last = transfer.attempts.last { $0.beganNanoseconds <= time }
            return last?.failure.flatMap { $0.atNanoseconds <= time ? $0.atNanoseconds : nil }
        }
        func nextBeginning(_ transfer: Transfer) -> UInt64 {
            transfer.attempts.first { $0.beganNanoseconds >= time }?.beganNanoseconds ?? .max
        }
        let failing = transfers.indices.filter { lastFailure(transfers[$0]) != nil }
        if let place = failing.max(by: {
            lastFailure(transfers[$0]) ?? 0 < lastFailure(transfers[$1]) ?? 0
        }) {
            return place
        }
        return transfers.indices.min {
            nextBeginning(transfers[$0]) < nextBeginning(transfers[$1])
        } ?? 0
    }
}

extension Exchange {
    /// Whether request or answer speak of a resumable upload.
    fileprivate var isAboutUpload: Bool {
        request.value.fields.hasUploadFields || answers.contains { $0.value.status == 104 }
            || answers.contains {
                $0.value.fields["upload-offset"] != nil || $0.value.fields["tus-resumable"] != nil
            }
    }

    /// Whether it sends content, or begins an upload whose content follows.
    fileprivate var beginsUpload: Bool {
        switch method {
        case "POST", "PUT", "PATCH": hasRequestContent || isAboutUpload
        case "HEAD": isAboutUpload
        default: false
        }
    }
}
