/// A column chart in characters.
struct Plot: Hashable, Sendable {
    /// Values from left to right; one column each.
    var values: [UInt64]
    /// The value of a full column; no value is above it.
    var top: UInt64
    var rows: Int
    /// Without Unicode a column ends in `#` or `.`, for half a row.
    var usesUnicode: Bool

    private static let eighths = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Lines from top to bottom, each as wide as there are values.
    func lines() -> [String] {
        let heights = values.map(eighths)
        return (0..<rows).map { row in
            let floor = (rows - 1 - row) * 8
            return heights.map { symbol(min(max($0 - floor, 0), 8)) }.joined()
        }
    }

    /// The height in eighths of a row; anything above zero is visible.
    private func eighths(_ value: UInt64) -> Int {
        guard value > 0 else { return 0 }
        let (high, low) = value.multipliedFullWidth(by: UInt64(rows * 8))
        return max(1, Int(top.dividingFullWidth((high, low)).quotient))
    }

    private func symbol(_ eighths: Int) -> String {
        if usesUnicode { return Self.eighths[eighths] }
        return eighths >= 6 ? "#" : eighths >= 3 ? "+" : eighths >= 1 ? "." : " "
    }

    /// The values in one row; `top` rises to the highest of them.
    static func sparkline(_ values: [UInt64], top: UInt64, usesUnicode: Bool) -> String {
        let top = max(1, top, values.max() ?? 0)
        return Plot(values: values, top: top, rows: 1, usesUnicode: usesUnicode).lines()[0]
    }
}
