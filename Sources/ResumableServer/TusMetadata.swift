internal import HTTPWire

/// The pairs of `Upload-Metadata` (tus 1.0.0, Creation).
///
/// The values come from the client: check one before using it as a file name or a field.
package struct TusMetadata: Hashable, Sendable {
    package struct Pair: Hashable, Sendable {
        package let key: String
        package let value: [UInt8]
    }

    package let pairs: [Pair]

    /// Reads the field; nil if a key is empty, not visible ASCII or there twice, or a value is not
    /// base64.
    package init?(_ field: String) {
        var pairs: [Pair] = []
        var keys: Set<String> = []
        for item in field.split(separator: ",", omittingEmptySubsequences: false) {
            let words = item.split(separator: " ")
            guard (1...2).contains(words.count), words[0].utf8.allSatisfy({ (0x21...0x7E) ~= $0 }),
                let value = words.count == 1 ? [] : Base64.decode(String(words[1])),
                keys.insert(String(words[0])).inserted
            else {
                return nil
            }
            pairs.append(Pair(key: String(words[0]), value: value))
        }
        self.pairs = pairs
    }

    /// The value under `key` if it is UTF-8 text.
    package func text(_ key: String) -> String? {
        pairs.first { $0.key == key }.flatMap { String(validating: $0.value, as: UTF8.self) }
    }
}
