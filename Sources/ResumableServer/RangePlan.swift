package import HTTPWire

/// The answer to a GET or HEAD of an object: its head, and what follows piece by piece.
package struct RangePlan: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// 200.
        case whole
        /// 206 with one part.
        case part
        /// 206 with `multipart/byteranges`.
        case parts
        case notModified
        case preconditionFailed
        case unsatisfiable
    }

    package enum Piece: Hashable, Sendable {
        /// Bytes of the message around parts.
        case text([UInt8])
        /// These bytes of the object.
        case content(Range<Int>)
    }

    package let kind: Kind
    package let head: ResponseHead
    /// Empty for HEAD; otherwise as long as `Content-Length` says.
    package let pieces: [Piece]

    /// What the origin does with ranges.
    package struct Settings: Hashable, Sendable {
        /// Whether `Range` is understood, and `Accept-Ranges` sent.
        package var takesRanges = true
        /// Whether several ranges in one request are, or ignored.
        package var takesSeveral = true
        /// Ranges with at most so many bytes between them become one.
        package var gap = 80

        package init() {}
    }

    /// Decides on an answer (RFC 9110 §13.2.2, §14.2, §15.3.7, §15.5.17).
    ///
    /// - Parameters:
    ///   - request: a GET or HEAD.
    ///   - object: as it is now.
    ///   - settings: of the origin.
    ///   - boundary: for several parts; 1 to 70 letters and digits that are not in the object.
    ///   - now: for the century of short dates.
    ///   - effects: what is to go wrong.
    package init(
        _ request: RequestHead,
        to object: ServedObject,
        settings: Settings = Settings(),
        boundary: String,
        now: HTTPDate,
        effects: [Misbehaviour.Effect] = []
    ) {
        let conditions = ConditionalRequest(request, now: now)
        var answer = RangeAnswer(object: object, settings: settings, boundary: boundary)
        switch conditions.outcome(object.validators) {
        case .notModified: answer.notModified()
        case .failed: answer.preconditionFailed()
        case .proceed:
            let applies =
                settings.takesRanges && conditions.rangeApplies(object.validators)
                && !effects.contains(.ignoreRange)
            let asked =
                applies ? request.fields.combined("Range").flatMap { ByteRangeSet($0) } : nil
            answer.serve(asked, effects)
            if effects.contains(.falseGzip) { answer.fields["Content-Encoding"] = "gzip" }
        }
        kind = answer.kind
        head = answer.head
        pieces = request.method == "HEAD" ? [] : answer.pieces
    }
}

/// Puts an answer together.
private struct RangeAnswer {
    let object: ServedObject
    let settings: RangePlan.Settings
    let boundary: String
    var kind = RangePlan.Kind.whole
    var status = 200
    var fields: HeaderFields = [:]
    var pieces: [RangePlan.Piece] = []

    init(object: ServedObject, settings: RangePlan.Settings, boundary: String) {
        self.object = object
        self.settings = settings
        self.boundary = boundary
    }

    var head: ResponseHead { ResponseHead(status, fields: fields) }

    // MARK: Without content

    /// 304 has what a cache needs, and no other field of the representation (RFC 9110 §15.4.5).
    mutating func notModified() {
        kind = .notModified
        status = 304
        fields["ETag"] = object.validators.entityTag?.text
        if object.validators.entityTag == nil { addDate() }
        for name in ["Cache-Control", "Content-Location", "Expires", "Vary"] {
            fields[name] = object.fields.combined(name)
        }
    }

    mutating func preconditionFailed() {
        kind = .preconditionFailed
        status = 412
        fields["ETag"] = object.validators.entityTag?.text
        fields["Content-Length"] = "0"
    }

    private mutating func unsatisfiable() {
        kind = .unsatisfiable
        status = 416
        fields["Content-Range"] = ContentRange.unsatisfied(length: object.size).text
        fields["Content-Length"] = "0"
    }

    // MARK: With content

    /// Serves what was asked for; nil is everything.
    mutating func serve(_ asked: ByteRangeSet?, _ effects: [Misbehaviour.Effect]) {
        guard let asked, asked.specifiers.count == 1 || settings.takesSeveral else {
            whole()
            return
        }
        if effects.contains(.notModified) {
            notModified()
        } else if effects.contains(.unsatisfiable) {
            unsatisfiable()
        } else {
            switch asked.selection(length: object.size, gap: settings.gap) {
            case .whole: whole()
            case .unsatisfiable: unsatisfiable()
            case .ranges(let ranges) where ranges.count == 1 && !effects.contains(.multipart):
                part(ranges[0], effects)
            case .ranges(let ranges): parts(ranges, effects)
            }
        }
    }

    private mutating func whole() {
        begin(.whole, 200)
        add(0..<object.size)
        fields["Content-Length"] = "\(object.size)"
    }

    private mutating func part(_ asked: Range<Int>, _ effects: [Misbehaviour.Effect]) {
        let range = misplaced(asked, effects)
        let isPartial = !effects.contains(.partialAs200)
        begin(isPartial ? .part : .whole, isPartial ? 206 : 200)
        if isPartial && !effects.contains(.noContentRange) {
            fields["Content-Range"] = contentRange(range, effects)
        }
        add(range)
        fields["Content-Length"] = "\(range.count)"
    }

    private mutating func parts(_ ranges: [Range<Int>], _ effects: [Misbehaviour.Effect]) {
        begin(.parts, 206)
        let type = fields["Content-Type"]
        fields["Content-Type"] = "multipart/byteranges; boundary=\(boundary)"
        var length = 0
        for asked in ranges {
            let range = misplaced(asked, effects)
            var head = "\r\n--\(boundary)\r\n"
            if let type { head += "Content-Type: \(type)\r\n" }
            if !effects.contains(.noContentRange) {
                head += "Content-Range: \(contentRange(range, effects))\r\n"
            }
            length += addText(head + "\r\n") + range.count
            add(range)
        }
        length += addText("\r\n--\(boundary)--\r\n")
        fields["Content-Length"] = "\(length)"
    }

    private mutating func begin(_ kind: RangePlan.Kind, _ status: Int) {
        self.kind = kind
        self.status = status
        fields = object.fields
        if settings.takesRanges { fields["Accept-Ranges"] = "bytes" }
        fields["ETag"] = object.validators.entityTag?.text
        addDate()
    }

    // MARK: Pieces

    private mutating func addDate() {
        fields["Last-Modified"] = object.validators.lastModified?.text
    }

    private mutating func add(_ range: Range<Int>) {
        if !range.isEmpty { pieces.append(.content(range)) }
    }

    private mutating func addText(_ text: String) -> Int {
        pieces.append(.text(Array(text.utf8)))
        return text.utf8.count
    }

    private func contentRange(_ range: Range<Int>, _ effects: [Misbehaviour.Effect]) -> String {
        let total = effects.contains(.wrongTotal) ? object.size + 1 : object.size
        return ContentRange.part(range, of: total).text
    }

    /// The part that is sent in place of the one that was asked for, within the object and never
    /// empty.
    private func misplaced(_ asked: Range<Int>, _ effects: [Misbehaviour.Effect]) -> Range<Int> {
        var range = asked
        for effect in effects {
            switch effect {
            case .shiftRange(let distance):
                let begin = min(max(range.lowerBound + distance, 0), object.size - 1)
                let end = min(max(range.upperBound + distance, begin + 1), object.size)
                range = begin..<end
            case .short(let most):
                range = range.lowerBound..<min(range.upperBound, range.lowerBound + most)
            default: break
            }
        }
        return range
    }
}
