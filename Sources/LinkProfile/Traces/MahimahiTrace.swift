import LinkEngine
internal import YAML

/// Reads delivery traces in mahimahi's format: one whole number of milliseconds per line.
enum MahimahiTrace {
    /// Reads a trace, or reports the first line that does not fit.
    static func read(
        _ text: [UInt8],
        file: String,
        into diagnostics: inout Diagnostics
    ) -> DeliveryTrace? {
        var opportunities: [UInt32] = []
        var line = 0
        for content in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            if content.isEmpty, line > 1 { continue }
            guard let time = milliseconds(content), time >= opportunities.last ?? 0 else {
                diagnostics.report(
                    "'\(String(decoding: content.prefix(40), as: UTF8.self))' is not a time; "
                        + "expected whole milliseconds, never less than in the line above",
                    at: .file(file, line: line, column: 1)
                )
                return nil
            }
            guard opportunities.count < DeliveryTrace.maximumOpportunities else {
                diagnostics.report(
                    "a trace has at most \(DeliveryTrace.maximumOpportunities) lines",
                    at: .file(file, line: line, column: 1)
                )
                return nil
            }
            opportunities.append(time)
        }
        guard let trace = DeliveryTrace(opportunitiesMilliseconds: opportunities) else {
            diagnostics.report("a trace ends above 0 ms", at: .wholeFile(file))
            return nil
        }
        return trace
    }

    private static func milliseconds(_ line: ArraySlice<UInt8>) -> UInt32? {
        let digits = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        guard digits.first.map({ $0 <= UInt8(ascii: "9") && $0 >= UInt8(ascii: "0") }) ?? false
        else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self))
    }
}
