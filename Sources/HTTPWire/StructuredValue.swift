/// One bare value of a structured field (RFC 9651 §3.3).
package enum StructuredValue: Hashable, Sendable {
    /// At most 15 digits, of either sign.
    case integer(Int)
    /// In thousandths; at most 12 digits before the point and 3 after it.
    case decimal(thousandths: Int)
    /// Visible ASCII characters and spaces.
    case string(String)
    case token(String)
    case bytes([UInt8])
    case boolean(Bool)
    /// Seconds since 1970, at most 15 digits, of either sign.
    case date(secondsSince1970: Int)
    /// Any text.
    case displayString(String)

    /// Both ends of what integers and dates can be.
    package static let integerRange = -999_999_999_999_999...999_999_999_999_999
}

/// A value with its parameters (RFC 9651 §3.3).
package struct StructuredItem: Hashable, Sendable {
    package var value: StructuredValue
    package var parameters: StructuredParameters

    package init(_ value: StructuredValue, parameters: StructuredParameters = [:]) {
        self.value = value
        self.parameters = parameters
    }
}

/// Items in parentheses, which have parameters of their own (RFC 9651 §3.1.1).
package struct StructuredInnerList: Hashable, Sendable {
    package var items: [StructuredItem]
    package var parameters: StructuredParameters

    package init(_ items: [StructuredItem], parameters: StructuredParameters = [:]) {
        self.items = items
        self.parameters = parameters
    }
}

/// What a list or a dictionary holds.
package enum StructuredMember: Hashable, Sendable {
    case item(StructuredItem)
    case innerList(StructuredInnerList)

    /// The value, parameters aside; nil for an inner list.
    package var value: StructuredValue? {
        guard case .item(let item) = self else { return nil }
        return item.value
    }
}

/// What follows a semicolon: parameters of an item or an inner list (RFC 9651 §3.1.2).
package typealias StructuredParameters = StructuredMap<StructuredValue>

/// A field that is a dictionary (RFC 9651 §3.2).
package typealias StructuredDictionary = StructuredMap<StructuredMember>
