internal import FaultInjection
internal import LinkEngine

/// Option values as what they mean.
extension Invocation {
    /// `--seed`, a number of 64 bits.
    func seed() throws(Failure) -> UInt64? {
        guard let text = value("seed") else { return nil }
        guard let seed = UInt64(text) else {
            throw Failure(
                .usage,
                "--seed '\(text)' is not a whole number from 0 to \(UInt64.max)"
            )
        }
        return seed
    }

    /// A whole number within bounds.
    func count(_ option: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Failure(
                .usage,
                "--\(option) '\(text)' is not a whole number from \(range.lowerBound)"
                    + " to \(range.upperBound)"
            )
        }
        return number
    }

    /// A size such as `10MB`; a bare number is refused.
    func byteCount(_ option: String) throws(Failure) -> UInt64? {
        guard let text = value(option) else { return nil }
        do throws(QuantityError) {
            if UInt64(text) != nil {
                throw QuantityError(text, kind: .byteCount, .missingUnit)
            }
            return try Quantity.byteCount(text)
        } catch {
            throw Failure(.usage, "--\(option): \(error)")
        }
    }

    /// A time such as `30s`.
    func duration(_ option: String) throws(Failure) -> Duration? {
        guard let text = value(option) else { return nil }
        do throws(QuantityError) {
            return try Quantity.duration(text)
        } catch {
            throw Failure(.usage, "--\(option): \(error)")
        }
    }

    /// The `--fault` options.
    func faults() throws(Failure) -> [Fault] {
        var faults: [Fault] = []
        for text in values("fault") {
            do throws(ScheduleError) {
                faults.append(try Fault(parsing: text))
            } catch {
                throw Failure(
                    .usage,
                    "--fault '\(text)', column \(error.column): \(error.description)"
                )
            }
        }
        return faults
    }
}
