/// What a client likes better of two media types (RFC 9110 §12.5.1).
enum AcceptField {
    /// Whether JSON is wanted more than HTML; a client that says nothing gets HTML.
    static func prefersJSON(_ field: String?) -> Bool {
        guard let field else { return false }
        return weight(of: "application/json", in: field) > weight(of: "text/html", in: field)
    }

    /// In thousandths; that of the most precise range that fits.
    private static func weight(of type: String, in field: String) -> Int {
        let family = type.prefix { $0 != "/" } + "/*"
        var best = (precision: -1, weight: 0)
        for item in field.split(separator: ",") {
            let parts = item.split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            let ranges = ["*/*", String(family), type]
            guard let range = parts.first, let precision = ranges.firstIndex(of: range),
                precision > best.precision
            else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            best = (precision, quality.map(thousandths) ?? 1_000)
        }
        return best.weight
    }

    private static func thousandths(_ text: Substring) -> Int {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = Int(parts.first ?? "") else { return 0 }
        let fraction = parts.count > 1 ? String((parts[1] + "000").prefix(3)) : "0"
        return min(1_000, whole * 1_000 + (Int(fraction) ?? 0))
    }
}
