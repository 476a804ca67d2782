internal import Basics

/// Quantiles of a distribution as 4,096 integers in 1/65,536 of its scale.
///
/// Entry i is the quantile at (i + ½)/4,096. The tables are computed once with integers only, so
/// they are the same everywhere; each states its error.
struct QuantileTable: Sendable {
    static let size = 4_096
    static let unit: Int64 = 65_536

    private let entries: [Int32]

    /// The entry that a 64-bit draw selects, times `scale`.
    func value(draw: UInt64, scale: Duration) -> Duration {
        let entry = Int64(entries[Int(draw >> 52)])
        let product = Int128(scale.nanoseconds) * Int128(entry) / Int128(Self.unit)
        return Duration(nanoseconds: Int64(clamping: product))
    }

    /// Exponential with mean 1: −ln(1 − u), with an error below 2⁻¹⁵.
    static let exponential = QuantileTable(
        entries: (0..<size).map { place in
            // 1 − u = (2·4,096 − 2i − 1)/8,192, and ln x = ln 2 · log₂ x.
            let odd = UInt64(2 * size - 2 * place - 1)
            let negativeLog2 = Int64(13) << 32 - log2(odd)
            return Int32((negativeLog2 * 45_426 / 65_536) >> 16)
        }
    )

    /// Pareto (Lomax) with α = 3 and standard deviation 1: λ((1 − u)^(−1/3) − 1), λ = √(4/3).
    ///
    /// Error below 10⁻⁴.
    static let pareto = QuantileTable(
        entries: (0..<size).map { place in
            let odd = UInt64(2 * size - 2 * place - 1)
            // ∛(8,192/odd) with 16 fraction bits is ∛(2⁶¹/odd).
            let root = Int64(IntegerMath.cubeRoot((1 << 61) / odd))
            return Int32((root - unit) * 75_674 / unit)
        }
    )

    /// Normal with standard deviation 1, by bisection, with an error below 2⁻¹⁵.
    static let normal = QuantileTable(
        entries: {
            let upper = (size / 2..<size).map { place -> Int32 in
                // Φ(z) − ½ = (2i + 1 − 4,096)/8,192, in 1/2⁴⁰.
                let wanted = Int64(2 * place + 1 - size) << 27
                var low: Int64 = 0
                var high = 4 * unit
                while low < high {
                    let middle = (low + high) / 2
                    if normalHalf(middle) < wanted { low = middle + 1 } else { high = middle }
                }
                return Int32(low)
            }
            return upper.reversed().map { -$0 } + upper
        }()
    )

    /// log₂ of an integer, with 32 fraction bits, by repeated squaring.
    private static func log2(_ value: UInt64) -> Int64 {
        let whole = 63 - value.leadingZeroBitCount
        var mantissa = value << UInt64(value.leadingZeroBitCount)
        var result = Int64(whole) << 32
        for bit in (0..<32).reversed() {
            let square = mantissa.multipliedFullWidth(by: mantissa).high
            if square >> 63 == 1 {
                result += 1 << Int64(bit)
                mantissa = square
            } else {
                mantissa = square << 1
            }
        }
        return result
    }

    private static let one = Int128(1) << 48

    /// Φ(z) − ½ for z in 1/65,536 up to 4, in 1/2⁴⁰: φ(z) · Σ zᵏ/(1·3·5…k) over odd k
    /// (Marsaglia 2004), where all terms are positive.
    private static func normalHalf(_ z: Int64) -> Int64 {
        let x = Int128(z) << 32
        let square = x * x / one
        var term = x
        var sum = x
        var odd: Int128 = 1
        while term > 0 {
            odd += 2
            term = term * square / one / odd
            sum += term
        }
        // 2⁴⁸/√(2π).
        let rootTwoPi: Int128 = 112_292_269_084_889
        let density = rootTwoPi * exponentialOfMinus(square / 2) / one
        return Int64((sum * density / one) >> 8)
    }

    /// e^(−y) for y up to 8, as (Taylor of e^(−y/16))¹⁶.
    private static func exponentialOfMinus(_ y: Int128) -> Int128 {
        let small = y / 16
        var term = one
        var sum = one
        var k: Int128 = 0
        while term > 0 {
            k += 1
            term = term * small / one / k
            sum += Int(k) % 2 == 1 ? -term : term
        }
        for _ in 0..<4 { sum = sum * sum / one }
        return sum
    }
}
