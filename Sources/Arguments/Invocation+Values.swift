package import Basics

/// Option values as what they mean.
extension Invocation {
    /// `--seed`, a number of 64 bits.
    package func seed() throws(Failure) -> UInt64? {
        guard let text = value("seed") else { return nil }
        guard let seed = UInt64(text) else {
            throw failure("seed", "'\(text)' is not a whole number from 0 to \(UInt64.max)")
        }
        return seed
    }

    /// A whole number within bounds.
    package func count(_ option: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw failure(
                option,
                "'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// A size such as `10MB`; a bare number is refused.
    package func byteCount(_ option: String) throws(Failure) -> UInt64? {
        guard let text = value(option) else { return nil }
        return try byteCount(text, of: option)
    }

    /// The sizes of a repeatable option.
    package func byteCounts(_ option: String) throws(Failure) -> [UInt64] {
        var counts: [UInt64] = []
        for text in values(option) { counts.append(try byteCount(text, of: option)) }
        return counts
    }

    private func byteCount(_ text: String, of option: String) throws(Failure) -> UInt64 {
        do throws(QuantityError) {
            if UInt64(text) != nil {
                throw QuantityError(text, kind: .byteCount, .missingUnit)
            }
            return try Quantity.byteCount(text)
        } catch {
            throw failure(option, error.description)
        }
    }

    /// A ratio such as `1.25`, as it was written.
    package func ratio(_ option: String) throws(Failure) -> String? {
        guard let text = value(option) else { return nil }
        guard let number = Double(text), number.isFinite, number >= 0 else {
            throw failure(option, "expected a number, as in 1.25; found '\(text)'")
        }
        return text
    }

    /// A time such as `30s`.
    package func duration(_ option: String) throws(Failure) -> Duration? {
        guard let text = value(option) else { return nil }
        do throws(QuantityError) {
            return try Quantity.duration(text)
        } catch {
            throw failure(option, error.description)
        }
    }
}
