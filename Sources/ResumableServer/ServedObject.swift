package import HTTPWire

/// One state of an object that can be downloaded.
package struct ServedObject: Hashable, Sendable {
    /// Bytes of the representation, with its content coding applied.
    package private(set) var size: Int
    /// The content coding, if there is one; its content is the object without.
    package private(set) var gzip: StoredGzip?
    /// Bytes of the object without a content coding.
    package private(set) var contentSize: Int
    /// 0, and one more for every change of the bytes.
    package private(set) var revision = 0
    package private(set) var validators: Validators
    /// What belongs to the representation or to caching: `Content-Type`, `Content-Encoding`,
    /// `Cache-Control`, `Vary`, `Expires`, `Content-Location`.
    package var fields: HeaderFields
    /// Changes of the tag so far.
    private var tagChanges = 0

    /// An object as it is at first.
    ///
    /// - Parameters:
    ///   - size: bytes.
    ///   - validators: a tag must differ between content codings of one object.
    ///   - fields: see the property.
    package init(size: Int, validators: Validators, fields: HeaderFields = [:]) {
        precondition(size >= 0, "an object has no negative size")
        self.size = size
        contentSize = size
        self.validators = validators
        self.fields = fields
    }

    /// The object after what has gone wrong up to a request and with it.
    package func after(
        _ mutations: [(Misbehaviour.Mutation, count: Int)],
        _ effects: [Misbehaviour.Effect] = []
    ) -> ServedObject {
        var object = self
        for case .stale(let age) in effects { object.fields["Age"] = "\(age)" }
        // A cache has what was there before the changes.
        for (mutation, count) in mutations where object.fields["Age"] == nil {
            object.mutate(mutation, count)
        }
        for effect in effects {
            switch effect {
            case .entityTag(let form): object.show(form)
            case .lastModified(let form): object.show(form)
            case .gzip: object.code()
            default: break
            }
        }
        return object
    }

    /// Gives the object in another content coding under the validators of the one without, which is
    /// the mistake: a strong tag must differ between codings (RFC 9110 §8.8.3.3).
    private mutating func code() {
        let gzip = StoredGzip(contentSize: contentSize)
        self.gzip = gzip
        size = gzip.size
        fields["Content-Encoding"] = "gzip"
    }

    /// Changes the object `count` times; size moves by a tenth of the first size each time, but
    /// never less than a byte.
    private mutating func mutate(_ mutation: Misbehaviour.Mutation, _ count: Int) {
        let step = max(size / 10, 1)
        switch mutation {
        case .grow: size += step * min(count, 1_024)
        case .shrink: size -= min(size, step * min(count, 10))
        case .sameSize, .touch, .weakTag, .dateOnly, .sameSecond: break
        }
        contentSize = size
        if mutation != .touch { revision += count }
        switch mutation {
        case .sameSize, .grow, .shrink, .touch, .sameSecond: tagChanges += count
        case .weakTag: retag(isWeak: true)
        case .dateOnly: validators.entityTag = nil
        }
        if mutation != .sameSecond { changeDate(by: count) }
        if tagChanges > 0 { retag(isWeak: validators.entityTag?.isWeak ?? false) }
    }

    private mutating func changeDate(by seconds: Int) {
        guard let date = validators.lastModified else { return }
        validators.lastModified = HTTPDate(secondsSince1970: date.secondsSince1970 + seconds)
    }

    private mutating func retag(isWeak: Bool) {
        guard let tag = validators.entityTag else { return }
        let name = tag.opaque.prefix { $0 != "~" }
        let change = tagChanges > 0 ? "~\(tagChanges)" : ""
        validators.entityTag = EntityTag("\(name)\(change)", isWeak: isWeak)
    }

    private mutating func show(_ form: Misbehaviour.TagForm) {
        guard let tag = validators.entityTag else { return }
        switch form {
        case .strong: validators.entityTag = EntityTag(tag.opaque)
        case .weak: validators.entityTag = EntityTag(tag.opaque, isWeak: true)
        case .none: validators.entityTag = nil
        }
    }

    private mutating func show(_ form: Misbehaviour.DateForm) {
        switch form {
        case .exact: validators.isLastModifiedStrong = true
        case .coarse: validators.isLastModifiedStrong = false
        case .none: validators.lastModified = nil
        }
    }
}
