import Basics
internal import YAML

private enum ParameterKey: String, SchemaKey {
    case `default`, min, max, help
    case oneOf = "one-of"
}

/// A parameter as a profile declares it.
///
/// Its kind is that of its default.
struct ParameterDeclaration {
    let name: String
    let standard: ParameterText
    let minimum: ParameterText?
    let maximum: ParameterText?
    let choices: [ParameterText]
    let help: String

    /// The values it takes, in words.
    var allowed: String {
        if !choices.isEmpty { return choices.map(\.text).listed() }
        switch (minimum, maximum) {
        case (let low?, let high?): return "\(low.text) to \(high.text)"
        case (let low?, nil): return "\(low.text) or more"
        case (nil, let high?): return "up to \(high.text)"
        case (nil, nil): return standard.kind.expected
        }
    }

    /// Reads a value, or says why the parameter cannot have it.
    func value(_ text: String) -> Result<ParameterText, ParameterMistake> {
        standard.kind.read(text).flatMap { value in
            guard allows(value) else {
                let nearest = NearestName.of(text, among: choices.map(\.text))
                let answer = nearest.map { "did you mean '\($0)'?" } ?? "expected \(allowed)"
                return .failure(ParameterMistake("'\(text)' is not for '\(name)'; \(answer)"))
            }
            return .success(value)
        }
    }

    private func allows(_ value: ParameterText) -> Bool {
        (choices.isEmpty || choices.contains(value))
            && value.magnitude >= minimum?.magnitude ?? 0
            && value.magnitude <= maximum?.magnitude ?? .max
    }
}

struct ParameterMistake: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

extension Diagnostics {
    /// Reads the declaration of a parameter; a descendant's keys were laid over its ancestor's.
    mutating func parameter(_ name: String, _ node: Node) -> ParameterDeclaration? {
        let before = list.count
        var texts: [ParameterKey: (text: String, place: Place)] = [:]
        var choices: [(text: String, place: Place)] = []
        for setting in settings(of: node, ParameterKey.self, in: "a parameter") {
            if setting.key == .oneOf {
                let limit = ProfileLimits.parameterChoices
                for item in items(setting.value, expected: "values", limit: limit) ?? [] {
                    if let text = scalar(item, expected: "a value") {
                        choices.append((text, item.place))
                    }
                }
            } else if let text = scalar(setting.value, expected: "a value") {
                texts[setting.key] = (text, setting.value.place)
            }
        }
        guard list.count == before, let written = required(texts[.default], "default", in: node)
        else { return nil }
        let kind = ParameterKind.inferred(from: written.text)
        guard let standard = parameterText(written, kind) else { return nil }
        let declaration = ParameterDeclaration(
            name: name,
            standard: standard,
            minimum: texts[.min].flatMap { parameterText($0, kind) },
            maximum: texts[.max].flatMap { parameterText($0, kind) },
            choices: choices.compactMap { parameterText($0, kind) },
            help: texts[.help]?.text ?? ""
        )
        guard list.count == before else { return nil }
        if kind == .word, choices.isEmpty {
            report("'one-of' is missing: a parameter that is a word lists them", at: node.place)
        }
        if case .failure(let mistake) = declaration.value(written.text) {
            report(mistake.message, at: written.place)
        }
        return declaration
    }

    private mutating func parameterText(
        _ written: (text: String, place: Place),
        _ kind: ParameterKind
    ) -> ParameterText? {
        switch kind.read(written.text) {
        case .success(let value): return value
        case .failure(let mistake):
            report(mistake.message, at: written.place)
            return nil
        }
    }
}
