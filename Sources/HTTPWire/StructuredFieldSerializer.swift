/// The serializing algorithms of RFC 9651 §4.1.
struct StructuredFieldSerializer {
    private(set) var text = ""

    // MARK: Structures

    mutating func write(_ list: [StructuredMember]) throws(StructuredFieldError) {
        for (index, member) in list.enumerated() {
            if index > 0 { text += ", " }
            try write(member)
        }
    }

    mutating func write(_ dictionary: StructuredDictionary) throws(StructuredFieldError) {
        for (index, entry) in dictionary.entries.enumerated() {
            if index > 0 { text += ", " }
            try write(key: entry.key)
            if case .item(let item) = entry.value, item.value == .boolean(true) {
                try write(item.parameters)
            } else {
                text += "="
                try write(entry.value)
            }
        }
    }

    mutating func write(_ item: StructuredItem) throws(StructuredFieldError) {
        try write(item.value)
        try write(item.parameters)
    }

    private mutating func write(_ member: StructuredMember) throws(StructuredFieldError) {
        switch member {
        case .item(let item): try write(item)
        case .innerList(let list):
            text += "("
            for (index, item) in list.items.enumerated() {
                if index > 0 { text += " " }
                try write(item)
            }
            text += ")"
            try write(list.parameters)
        }
    }

    private mutating func write(_ parameters: StructuredParameters) throws(StructuredFieldError) {
        for entry in parameters.entries {
            text += ";"
            try write(key: entry.key)
            if entry.value != .boolean(true) {
                text += "="
                try write(entry.value)
            }
        }
    }

    private mutating func write(key: String) throws(StructuredFieldError) {
        guard let first = key.utf8.first, first.isLowerAlpha || first == UInt8(ascii: "*"),
            key.utf8.allSatisfy(\.isKeyCharacter)
        else {
            throw error("would have a key that is not small letters, digits, _, -, . and *")
        }
        text += key
    }

    // MARK: Values

    private mutating func write(_ value: StructuredValue) throws(StructuredFieldError) {
        switch value {
        case .integer(let integer): try write(integer)
        case .decimal(let thousandths): try write(thousandths: thousandths)
        case .string(let string): try write(string: string)
        case .token(let token): try write(token: token)
        case .bytes(let bytes): text += ":\(Base64.encode(bytes)):"
        case .boolean(let boolean): text += boolean ? "?1" : "?0"
        case .date(let seconds):
            text += "@"
            try write(seconds)
        case .displayString(let string): write(displayString: string)
        }
    }

    private mutating func write(_ integer: Int) throws(StructuredFieldError) {
        guard StructuredValue.integerRange.contains(integer) else {
            throw error("would have an integer of more than 15 digits")
        }
        text += String(integer)
    }

    private mutating func write(thousandths: Int) throws(StructuredFieldError) {
        guard StructuredValue.integerRange.contains(thousandths) else {
            throw error("would have a decimal of more than 12 digits before its point")
        }
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
        var fraction = String(1_000 + rest).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        text += "\(thousandths < 0 ? "-" : "")\(whole).\(fraction)"
    }

    private mutating func write(string: String) throws(StructuredFieldError) {
        guard string.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw error("would have a string with a character that is not visible ASCII")
        }
        text += "\""
        for scalar in string.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        text += "\""
    }

    private mutating func write(token: String) throws(StructuredFieldError) {
        guard let first = token.utf8.first, first.isAlpha || first == UInt8(ascii: "*"),
            token.utf8.allSatisfy(\.isStructuredTokenCharacter)
        else {
            throw error("would have a token that is none")
        }
        text += token
    }

    private mutating func write(displayString: String) {
        text += "%\""
        for byte in displayString.utf8 {
            let isPlain =
                (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "%")
                && byte != UInt8(ascii: "\"")
            if isPlain {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))"
            }
        }
        text += "\""
    }

    private func error(_ reason: String) -> StructuredFieldError {
        StructuredFieldError(reason: reason, offset: nil)
    }
}
