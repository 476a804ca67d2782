import Basics
import LinkProfile
import Profiles
import Testing

/// Whatever the bytes are, there is a profile or there are diagnostics; nothing traps.
@Suite struct HostileTextTests {
    /// All but those that generate traces, for the sake of time.
    private static let files = Profiles.all.filter { !$0.text.contains("generate") }

    private let random = AddressedRandom(seed: 20_260_101)

    private func draw(_ bound: Int, _ file: Int, _ index: UInt64) -> Int {
        Int(
            random.integer(
                below: UInt64(bound),
                key: UInt64(file),
                direction: .down,
                stage: .corrupt,
                index: index
            )
        )
    }

    /// Loads, and holds what comes back to its promises.
    private func check(_ bytes: [UInt8]) {
        let library = ProfileLibrary.builtinOnly()
        do throws(ProfileError) {
            let profile = try library.load(ProfileText(file: "p.yaml", bytes: bytes))
            #expect(!profile.canonicalText.isEmpty)
        } catch {
            #expect(!error.lines.isEmpty)
            #expect(error.lines.allSatisfy { !$0.contains("\n") })
        }
    }

    @Test func `built-in files with random bytes changed, put in, left out and doubled`() {
        for (number, profile) in Self.files.enumerated() {
            for round in 0..<40 as Range<UInt64> {
                var bytes = profile.bytes
                for step in 0...(round % 4) {
                    let index = round * 64 + step * 8
                    let place = draw(bytes.count, number, index)
                    let byte = UInt8(draw(256, number, index + 1))
                    switch draw(4, number, index + 2) {
                    case 0: bytes[place] = byte
                    case 1: bytes.insert(byte, at: place)
                    case 2: bytes.remove(at: place)
                    default:
                        let end = min(bytes.count, place + draw(40, number, index + 3))
                        bytes.insert(contentsOf: bytes[place..<end], at: place)
                    }
                    if bytes.isEmpty { bytes = [0x61] }
                }
                check(bytes)
            }
        }
    }

    @Test func `every number of every built-in file made absurd`() {
        let absurd = [
            "0", "18446744073709551615", "99999999999999999999999999", "0.0000000000000001",
            "9223372036854775807", "1e9",
        ]
        for profile in Self.files {
            let text = profile.text
            for run in text.digitRuns {
                for number in absurd { check(Array(text.replacing(run, with: number).utf8)) }
            }
        }
    }

    @Test func `random tokens of the schema in random order`() {
        let tokens = [
            "link", "down", "up", "rate", "delay", "rtt", "loss", "burst", "mean", "trace", "{",
            "}", "[", "]", ": ", ", ", "\n", "  ", "- ", "\"", "'", "${", "}", "parameters",
            "default", "1ms", "1%", "1Mbit/s", "4packets", "1B", "extends", "lte", "faults",
            "c1:down+1=rst", "&a ", "*a", "!t ", "?", "|", ">", "#", "---\n", "outages", "at",
            "for",
            "period", "random", "generate", "poisson", "length", "seed", "budget", "hard",
        ]
        for round in 0..<1_000 {
            let count = draw(30, 1_000_000 + round, 0)
            let text = (0..<count).map {
                tokens[draw(tokens.count, 1_000_000 + round, UInt64($0) + 1)]
            }
            check(Array(text.joined().utf8))
        }
    }
}

extension String {
    /// The places of its numbers.
    fileprivate var digitRuns: [Range<Index>] {
        var runs: [Range<Index>] = []
        var start: Index?
        for index in indices {
            if self[index].isNumber {
                start = start ?? index
            } else if let from = start {
                runs.append(from..<index)
                start = nil
            }
        }
        return runs
    }

    fileprivate func replacing(_ range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
