internal import Arguments
internal import Basics
internal import Exploration
internal import SystemIO

/// A report of an exploration in a file of JSON Lines.
enum ReportFile {
    /// The most bytes of one report that are read.
    private static let sizeLimit = 1 << 30

    /// - Parameter path: of what `explore --report` or `report merge --output` wrote.
    /// - Returns: the report, which may be cut short.
    /// - Throws: `inputMissing`, or `configuration` with the line that is wrong.
    static func read(_ path: String) throws(Failure) -> SuiteReport {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(path, limit: Self.sizeLimit)
        } catch {
            throw Failure(.inputMissing, "cannot read report '\(path)': \(error)")
        }
        var reader = ReportReader()
        // What follows the last line end was cut off.
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? []
        for (number, line) in whole.split(separator: UInt8(ascii: "\n")).enumerated() {
            try read(line, &reader) { column, words in
                "\(path):\(number + 1):\(column): error: \(words)"
            }
        }
        guard let report = reader.report else {
            throw Failure(.configuration, "the report '\(path)' is empty: no exploration wrote it")
        }
        return report
    }

    private static func read(
        _ line: ArraySlice<UInt8>,
        _ reader: inout ReportReader,
        _ diagnostic: (Int, String) -> String
    ) throws(Failure) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(line)
        } catch {
            throw Failure(
                .configuration,
                diagnostics: [diagnostic(error.column, error.description)]
            )
        }
        guard case .object(let object) = value else {
            throw Failure(.configuration, diagnostics: [diagnostic(1, "expected an object")])
        }
        do throws(ReportReader.Problem) {
            try reader.take(object)
        } catch {
            throw Failure(.configuration, diagnostics: [diagnostic(1, error.words)])
        }
    }
}
