internal import Basics

// Responses that are made up.
extension EffectArguments {
    /// A status of this range, then fields, `page` and `close`.
    func message(
        _ range: ClosedRange<Int>,
        like example: Int
    ) throws(ScheduleError) -> InjectedMessage {
        guard let first = values.first else {
            throw scanner.error(
                "'\(name)' needs a status, like '\(name)(\(example))'",
                at: start
            )
        }
        guard first.name == nil, let status = Int(digits: first.text), range.contains(status),
            status != 101
        else {
            throw scanner.error(
                "'\(QuantityError.shown(first.text))' is no status from \(range.lowerBound) to"
                    + " \(range.upperBound) that '\(name)' can send",
                at: first.at
            )
        }
        var message = InjectedMessage(status)
        for value in values.dropFirst() {
            switch value.text {
            case "page" where value.name == nil && name != "inject": message.hasPage = true
            case "close" where value.name == nil && name != "inject": message.closes = true
            default: message.fields.append(try field(value))
            }
        }
        return message
    }

    /// At least one field.
    func fields(like example: String) throws(ScheduleError) -> [InjectedField] {
        guard !values.isEmpty else {
            throw scanner.error("'\(name)' needs a field, like '\(name)(\(example))'", at: start)
        }
        return try values.map { value throws(ScheduleError) in try field(value) }
    }

    private func field(_ value: Value) throws(ScheduleError) -> InjectedField {
        guard let name = value.name else {
            throw scanner.error(
                "expected a field like 'retry-after=4', found"
                    + " '\(QuantityError.shown(value.text))'",
                at: value.at
            )
        }
        if let seconds = value.secondsAfterNow {
            return InjectedField(name, .date(after: seconds))
        }
        guard let bytes = TextEscape.decode(value.text) else {
            throw scanner.error("'%' is not followed by two hexadecimal digits", at: value.at)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw scanner.error("a field has no control characters", at: value.at)
        }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        guard bytes.first.map({ $0 != 0x20 && $0 != 0x09 }) ?? true,
            bytes.last.map({ $0 != 0x20 && $0 != 0x09 }) ?? true
        else {
            throw scanner.error("a field neither begins nor ends with a space", at: value.at)
        }
        return InjectedField(name, .text(text))
    }
}
