internal import Journal

/// Finds the transfers in a transcript.
///
/// A download is all GET and HEAD of one target, redirects followed. An upload is a creation and all
/// requests on the URL learnt from it; a like creation after a failure belongs to it.
struct TransferReader {
    private let transcript: Transcript
    /// In order of their first requests; of those that are followed, nothing yet.
    private var transfers: [Transfer] = []
    /// By their places.
    private var downloads: [Int: DownloadReading] = [:]
    private var uploads: [Int: UploadReading] = [:]
    /// Downloads of each target that another request may belong to, in order.
    private var openDownloads: [String: [Int]] = [:]
    /// The last upload that owns a path.
    private var owners: [String: Int] = [:]
    /// Uploads that another creation may repeat, by target and by idempotency key.
    private var creations: [String: [Int]] = [:]
    private let names: SocketNames
    /// Target by the path that it redirected to.
    private var redirects: [String: String] = [:]

    static func transfers(in transcript: Transcript) -> [Transfer] {
        var reader = TransferReader(transcript: transcript)
        reader.addAll()
        return reader.concluded()
    }

    init(transcript: Transcript) {
        self.transcript = transcript
        names = SocketNames(transcript)
    }

    /// A placeholder for a transfer that is followed.
    private static let followed = Transfer(kind: .opaque, target: "")

    /// How many transfers another request may belong to.
    var followedCount: Int { downloads.count + uploads.count }

    mutating func addAll() {
        for exchange in transcript.exchanges { add(exchange) }
    }

    private mutating func add(_ exchange: Exchange) {
        let path = URLText.path(of: exchange.target, base: "/")
        if let owner = owners[path] {
            add(exchange, toUpload: owner)
            return
        }
        if exchange.method == "GET" || (exchange.method == "HEAD" && !exchange.isAboutUpload) {
            addToDownload(exchange, path)
        } else if exchange.beginsUpload {
            addToLikeUpload(exchange, path)
        }
        followRedirect(exchange, path)
    }

    private mutating func add(_ exchange: Exchange, toUpload place: Int) {
        let known = uploads[place]?.transfer.uploadPaths.count ?? 0
        uploads[place]?.add(exchange, transcript)
        own((uploads[place]?.transfer.uploadPaths ?? [])[known...], place)
    }

    private mutating func own(_ paths: some Sequence<String>, _ place: Int) {
        for path in paths { owners[path] = max(place, owners[path] ?? 0) }
    }

    private mutating func addToDownload(_ exchange: Exchange, _ path: String) {
        let target = redirects[path] ?? names.name(of: exchange, path)
        let open = openDownloads[target] ?? []
        let places = open.filter { !(downloads[$0]?.isClosed(to: exchange) ?? true) }
        // Where several clients fetch one object, each resumes its own download.
        let resumed = places.last { downloads[$0]?.brokeOff(where: exchange) ?? false }
        if let place = resumed ?? places.last {
            downloads[place]?.add(exchange, transcript)
            return
        }
        // A complete one is open to ranges as long as it is the last.
        for place in open where downloads[place]?.transfer.isComplete ?? false {
            if let reading = downloads.removeValue(forKey: place) {
                transfers[place] = reading.concluded()
            }
        }
        var reading = DownloadReading(target: target)
        reading.add(exchange, transcript)
        openDownloads[target] = open.filter { downloads[$0] != nil } + [transfers.count]
        downloads[transfers.count] = reading
        transfers.append(Self.followed)
    }

    private mutating func addToLikeUpload(_ exchange: Exchange, _ path: String) {
        let key = exchange.request.value.fields["idempotency-key"]
        let names = Set([exchange.target, key].compactMap(\.self))
        let repeated = names.flatMap { creations[$0] ?? [] }
            .filter { uploads[$0]?.isRepeated(by: exchange) ?? false }
        if let place = repeated.max() {
            add(exchange, toUpload: place)
            return
        }
        let place = transfers.count
        for name in names {
            let open = (creations[name] ?? []).filter { uploads[$0]?.transfer.isComplete == false }
            creations[name] = open + [place]
        }
        uploads[place] = UploadReading(exchange, isResumable: exchange.isAboutUpload)
        transfers.append(Self.followed)
        // An upload that an earlier process began: its URL is all that is known of it.
        if exchange.request.value.fields.uploadOffset != nil || exchange.method == "HEAD" {
            uploads[place]?.adopt(path)
            own([path], place)
        }
        add(exchange, toUpload: place)
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

    /// All transfers, as they are at the end of the journal.
    mutating func concluded() -> [Transfer] {
        // Taken out, so that there are never two of them.
        var transfers: [Transfer] = []
        swap(&transfers, &self.transfers)
        for (place, reading) in downloads { transfers[place] = reading.concluded() }
        for (place, reading) in uploads { transfers[place] = reading.concluded() }
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
    /// the one that had failed last before, or else the one that went on first after it.
    private func addFailedConnects(to transfers: inout [Transfer]) {
        let failed = transcript.connections.filter {
            $0.requestCount == 0 && !transcript.isOpaque($0)
                && ($0.failure != nil || $0.isTurnedAway)
        }
        guard !failed.isEmpty else { return }
        if transfers.isEmpty { transfers.append(Transfer(kind: .opaque, target: "")) }
        var placement = ConnectPlacement(transfers)
        for trace in failed { placement.add(Attempt(trace, .connect)) }
        placement.insert(into: &transfers)
    }
}

extension Exchange {
    /// Whether request or answer speak of a resumable upload; an interim answer that nobody asked for
    /// makes none of a plain one.
    fileprivate var isAboutUpload: Bool {
        guard !request.value.fields.hasUploadFields else { return true }
        let fields = response?.value.fields
        return fields?["upload-offset"] != nil || fields?["tus-resumable"] != nil
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
