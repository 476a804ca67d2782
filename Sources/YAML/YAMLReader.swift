internal import CYAML

/// What one YAML text may hold.
package enum YAMLLimits {
    static let maximumBytes = 256 * 1024
    /// Mappings and lists inside one another.
    ///
    /// The schema needs 7.
    package static let maximumDepth = 16
    static let maximumNodes = 20_000
}

/// Reads one YAML document into a tree, or reports why it cannot.
///
/// libyaml notices neither duplicate keys nor a second document, has no depth limit and hands out
/// anchors, aliases and tags. A profile has no use for any of them: all are refused here.
/// `what` the text is, with an article, stands in messages.
package func readYAML(
    _ text: [UInt8],
    file: Place.Origin,
    what: String = "a profile",
    into diagnostics: inout Diagnostics
) -> Node? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    // What some editors put before a text says nothing about it; libyaml stumbles over it.
    let text = text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text
    guard text.count <= YAMLLimits.maximumBytes else {
        let limit = YAMLLimits.maximumBytes / 1024
        diagnostics.report(
            "the text has \(text.count) bytes; \(what) has at most \(limit)KiB",
            at: file.place(line: 1, column: 1)
        )
        return nil
    }
    return unsafe text.withUnsafeBufferPointer { bytes in
        guard var reader = unsafe YAMLReader(bytes, file: file, what: what) else {
            diagnostics.report("no memory for reading YAML", at: file.place(line: 1, column: 1))
            return nil
        }
        return reader.readDocument(&diagnostics)
    }
}

/// Whether the value of an option is the path of a YAML file rather than a name.
package func isYAMLPath(_ reference: String) -> Bool {
    reference.contains("/") || reference.hasSuffix(".yaml") || reference.hasSuffix(".yml")
}

extension Place {
    /// Where a text came from: a file, or the value of a setting, which is one place as a whole.
    package enum Origin: Hashable, Sendable {
        case file(String)
        case whole(Place)

        func place(line: Int, column: Int) -> Place {
            switch self {
            case .file(let name): .file(name, line: line, column: column)
            case .whole(let place): place
            }
        }
    }
}

/// An event of libyaml in Swift values.
private enum Event {
    case scalar(String)
    case sequenceStart
    case mappingStart
    /// The end of a list, a mapping, the document or the stream.
    case end
    case documentStart
    case streamStart
    /// Something that YAML has and a profile may not use.
    case refused(String)
}

/// Walks libyaml's events.
///
/// The only code of this module that touches memory by hand.
@safe private struct YAMLReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeBufferPointer<UInt8>
    private let file: Place.Origin
    private let what: String
    private var place: Place
    private var nodes = 0

    /// `text` must stay alive and unchanged as long as the reader.
    @unsafe init?(_ text: UnsafeBufferPointer<UInt8>, file: Place.Origin, what: String) {
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        unsafe self.text = unsafe text
        self.file = file
        self.what = what
        place = file.place(line: 1, column: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            return nil
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    /// The only document of the text; nil after a report.
    mutating func readDocument(_ diagnostics: inout Diagnostics) -> Node? {
        guard next(&diagnostics) != nil, let first = next(&diagnostics) else { return nil }
        guard case .documentStart = first else {
            diagnostics.report("the text is empty; expected \(what)", at: place)
            return nil
        }
        guard let event = next(&diagnostics),
            let root = node(event, depth: 0, &diagnostics), next(&diagnostics) != nil,
            let last = next(&diagnostics)
        else { return nil }
        if case .documentStart = last {
            diagnostics.report("a second document; \(what) is one document", at: place)
            return nil
        }
        return root
    }

    private mutating func node(
        _ event: Event,
        depth: Int,
        _ diagnostics: inout Diagnostics
    ) -> Node? {
        let start = place
        nodes += 1
        guard depth < YAMLLimits.maximumDepth, nodes <= YAMLLimits.maximumNodes else {
            let limit =
                nodes > YAMLLimits.maximumNodes
                ? "more than \(YAMLLimits.maximumNodes) values"
                : "nested deeper than \(YAMLLimits.maximumDepth) levels"
            diagnostics.report("\(limit); no profile needs that", at: start)
            return nil
        }
        switch event {
        case .scalar(let text): return Node(.scalar(text), at: start)
        case .sequenceStart: return sequence(at: start, depth: depth, &diagnostics)
        case .mappingStart: return mapping(at: start, depth: depth, &diagnostics)
        case .refused(let name):
            diagnostics.report(
                "\(name) are not supported in \(what); write the value out",
                at: start
            )
            return nil
        case .end, .documentStart, .streamStart: return nil
        }
    }

    private mutating func sequence(
        at start: Place,
        depth: Int,
        _ diagnostics: inout Diagnostics
    ) -> Node? {
        var items: [Node] = []
        while let event = next(&diagnostics) {
            if case .end = event { return Node(.sequence(items), at: start) }
            guard let item = node(event, depth: depth + 1, &diagnostics) else { return nil }
            items.append(item)
        }
        return nil
    }

    private mutating func mapping(
        at start: Place,
        depth: Int,
        _ diagnostics: inout Diagnostics
    ) -> Node? {
        var entries: [Node.Entry] = []
        var places: [String: Place] = [:]
        while let event = next(&diagnostics) {
            if case .end = event { return Node(.mapping(entries), at: start) }
            let keyPlace = place
            guard let keyNode = node(event, depth: depth + 1, &diagnostics) else { return nil }
            guard case .scalar(let key) = keyNode.value else {
                diagnostics.report("a key must be a word, not \(keyNode.description)", at: keyPlace)
                return nil
            }
            guard let valueEvent = next(&diagnostics),
                let value = node(valueEvent, depth: depth + 1, &diagnostics)
            else { return nil }
            if let first = places[key] {
                diagnostics.report(duplicate(key, first: first), at: keyPlace)
                continue
            }
            places[key] = keyPlace
            entries.append(Node.Entry(key: key, keyPlace: keyPlace, value: value))
        }
        return nil
    }

    private func duplicate(_ key: String, first: Place) -> String {
        guard case .file(_, let line, _) = first, case .file = file else {
            return "duplicate key '\(key)'"
        }
        return "duplicate key '\(key)'; it was first given in line \(line)"
    }

    /// The next event, with `place` set to its start; nil after a report.
    private mutating func next(_ diagnostics: inout Diagnostics) -> Event? {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else {
            reportProblem(&diagnostics)
            return nil
        }
        defer { unsafe yaml_event_delete(&event) }
        place = unsafe place(of: event.start_mark)
        return unsafe Self.translate(event)
    }

    private static func translate(_ event: yaml_event_t) -> Event {
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            if unsafe scalar.anchor != nil { return .refused("anchors") }
            if unsafe scalar.tag != nil { return .refused("tags") }
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return unsafe .scalar(String(decoding: bytes, as: UTF8.self))
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            if unsafe start.anchor != nil { return .refused("anchors") }
            return unsafe start.tag != nil ? .refused("tags") : .sequenceStart
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            if unsafe start.anchor != nil { return .refused("anchors") }
            return unsafe start.tag != nil ? .refused("tags") : .mappingStart
        case YAML_ALIAS_EVENT: return .refused("aliases")
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_STREAM_START_EVENT: return .streamStart
        default: return .end
        }
    }

    private func reportProblem(_ diagnostics: inout Diagnostics) {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
        let context = unsafe parser.pointee.context.map { unsafe " " + String(cString: $0) }
        let at =
            unsafe parser.pointee.error == YAML_READER_ERROR
            ? placeOfByte(unsafe parser.pointee.problem_offset)
            : unsafe place(of: parser.pointee.problem_mark)
        let words = "not YAML: \(problem ?? "no memory")\(context ?? "")"
        let line = unsafe Int(parser.pointee.problem_mark.line)
        diagnostics.report(words + Self.hint(problem ?? "", indentation(ofLine: line)), at: at)
    }

    /// What is mostly behind mistakes that libyaml has no plain words for.
    private static func hint(_ problem: String, _ indentation: [UInt8]) -> String {
        if indentation.contains(UInt8(ascii: "\t")) { return "; indent with spaces, not with tabs" }
        let isMisplaced =
            problem == "did not find expected key"
            || problem == "mapping values are not allowed in this context"
        return isMisplaced ? "; is the line indented like those beside it?" : ""
    }

    /// The blanks that a line begins with, the first line being 0.
    private func indentation(ofLine line: Int) -> [UInt8] {
        let lines = unsafe Array(text).split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        )
        guard line < lines.count else { return [] }
        return Array(lines[line].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    }

    private func place(of mark: yaml_mark_t) -> Place {
        file.place(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    /// A byte that is not UTF-8 has an offset but no mark.
    private func placeOfByte(_ offset: Int) -> Place {
        let before = unsafe Array(text.prefix(offset))
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        return file.place(line: line, column: column)
    }
}
