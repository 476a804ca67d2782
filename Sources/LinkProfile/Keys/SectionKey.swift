import Basics
internal import YAML

/// One key of a mapping in a profile, declared once: its name, what it takes, where that goes in the
/// model, and what it is.
///
/// Reading, canonical text, `--set`, its help, and the JSON Schema follow from that.
struct SectionKey<Model: Sendable>: Sendable {
    typealias Assignment = @Sendable (inout Model) -> Void

    let name: String
    /// The name of what the key sets.
    ///
    /// Keys that set the same thing are mutually exclusive; the one in the uppermost layer counts.
    let slot: String
    /// What it is, with units and range.
    let help: String
    /// What `--set` shows where the mapping as a whole is not there; nil for the placeholder.
    let valueWithoutSection: String?
    let placeholder: String
    let words: [String]
    let isStructured: Bool
    let schema: JSONValue
    /// Turns a value into what it does to the model; nil means that a mistake was reported.
    let read: @Sendable (Node, inout Diagnostics) -> Assignment?
    /// The value in canonical form; nil if there is none.
    let text: @Sendable (Model) -> String?
    /// The value for people; nil if there is none.
    let readable: @Sendable (Model) -> String?

    /// A key whose value is always there.
    init<Value>(
        _ name: String,
        _ form: ValueForm<Value>,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        slot: String? = nil,
        valueWithoutSection: String? = nil,
        help: String
    ) {
        self.init(
            name,
            form,
            slot: slot,
            valueWithoutSection: valueWithoutSection,
            help: help,
            get: { $0[keyPath: path] },
            set: { $0[keyPath: path] = $1 }
        )
    }

    /// A key whose value may be missing.
    init<Value>(
        _ name: String,
        _ form: ValueForm<Value>,
        optional path: any WritableKeyPath<Model, Value?> & Sendable,
        slot: String? = nil,
        help: String
    ) {
        self.init(
            name,
            form,
            slot: slot,
            valueWithoutSection: nil,
            help: help,
            get: { $0[keyPath: path] },
            set: { $0[keyPath: path] = $1 }
        )
    }

    private init<Value>(
        _ name: String,
        _ form: ValueForm<Value>,
        slot: String?,
        valueWithoutSection: String?,
        help: String,
        get: @escaping @Sendable (Model) -> Value?,
        set: @escaping @Sendable (inout Model, Value) -> Void
    ) {
        self.name = name
        self.slot = slot ?? name
        self.help = form.words.isEmpty ? help : "\(help): \(form.words.listed())"
        self.valueWithoutSection = valueWithoutSection
        placeholder = form.placeholder
        words = form.words
        isStructured = form.isStructured
        schema = form.schema
        read = { node, diagnostics in
            guard let value = form.read(node, &diagnostics) else { return nil }
            return { set(&$0, value) }
        }
        text = { get($0).map(form.text) }
        readable = { get($0).map(form.readable) }
    }
}

/// What one text, or a pile of them, says in one mapping of a profile.
struct SectionLayer<Model: Sendable>: Sendable {
    /// By slot.
    private var assignments: [String: SectionKey<Model>.Assignment] = [:]
    /// Where the last layer sets it, for mistakes that show only in the whole profile.
    var place: Place?

    init() {}

    func sets(_ key: SectionKey<Model>) -> Bool { assignments[key.slot] != nil }

    mutating func set(_ key: SectionKey<Model>, _ assignment: SectionKey<Model>.Assignment?) {
        assignments[key.slot] = assignment ?? assignments[key.slot]
    }

    mutating func cover(with upper: SectionLayer) {
        assignments.merge(upper.assignments) { $1 }
        place = upper.place ?? place
    }

    /// The model with these settings; everything else in it is unchanged.
    func applied(to model: Model) -> Model {
        var model = model
        // Always in one order, should one depend on another.
        for (_, assignment) in assignments.sorted(by: { $0.key < $1.key }) { assignment(&model) }
        return model
    }
}
