internal import Basics
internal import SystemIO

/// Option values that are one of some words, and times in whole units.
extension Invocation {
    /// One of the words that the option takes; nil if it was not given.
    package func word(_ option: String, of words: [String]) throws(Failure) -> String? {
        guard let text = value(option) else { return nil }
        guard words.contains(text) else {
            throw Failure(
                .usage,
                "--\(option) '\(text)'\(Suggestion.hint(for: text, in: words)): write one of"
                    + " \(words.joined(separator: ", "))"
            )
        }
        return text
    }

    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ option: String,
        of type: Choice.Type
    ) throws(Failure) -> Choice? {
        try word(option, of: type.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
    }

    /// Of an option that is on unless it is turned off.
    package func isOn(_ option: String) throws(Failure) -> Bool {
        try word(option, of: ["on", "off"]) != "off"
    }

    /// A time in milliseconds, at least one.
    package func milliseconds(_ option: String) throws(Failure) -> UInt64? {
        try duration(option).map { UInt64(max(1, $0.nanoseconds / 1_000_000)) }
    }

    /// A time in whole seconds, at least one, rounded up.
    package func seconds(_ option: String) throws(Failure) -> Int? {
        try duration(option).map { max(1, Int(($0.nanoseconds + 999_999_999) / 1_000_000_000)) }
    }

    /// `--ready-fd`, an open descriptor that is not a standard one.
    package func readyDescriptor() throws(Failure) -> Int32? {
        guard let number = try count("ready-fd", in: 0...65_535) else { return nil }
        guard number > 2 else {
            throw Failure(
                .usage,
                "--ready-fd \(number): 0, 1 and 2 are taken; open another one"
            )
        }
        // Asked before anything of our own is open, which must not be taken for the caller's.
        guard CurrentProcess.hasOpen(Int32(number)) else {
            throw Failure(
                .usage,
                "--ready-fd \(number): not open; open it for linkcond, as in \(number)>FILE"
            )
        }
        return Int32(number)
    }
}
