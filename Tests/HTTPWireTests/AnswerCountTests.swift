import TestSupport
import Testing

@testable import HTTPWire

/// Whether everything was answered is known as by the parser, whatever the answers and their pieces.
@Suite struct AnswerCountTests {
    private static let starts = [
        "HTTP/1.1 200 OK", "HTTP/1.1 404 ", "HTTP/1.1 200", "HTTP/1.1 204 No Content",
        "HTTP/1.1 304 Not Modified", "HTTP/1.0 200 OK", "HTTP/1.1 103 Early Hints",
        "HTTP/1.1 101 Switching Protocols", "HTTP/1.1 099 X", "HTTP/1.1 2000 X", "HTTP/1.2 200 OK",
    ]
    private static let lines = [
        "Content-Length: 3", "Server: x", "content-LENGTH:3 ", "Content-Length: 0",
        "Content-Length: 3, 3", "Content-Length: +3", "Content-Length: 99999999999999999999",
        "Transfer-Encoding: chunked", "Transfer-Encoding: gzip", "Connection: close", " folded",
        "No colon", "X: \u{1}",
    ]
    private static let contents = ["abc", "", "abcd", "3\r\nabc\r\n0\r\n\r\n"]

    /// What the parser knows of the same.
    private struct Reference {
        var parser = ResponseParser()
        var isOpaque = false

        mutating func read(_ bytes: Span<UInt8>) {
            var index = 0
            while !isOpaque {
                guard let step = try? parser.next(bytes.extracting(index...)) else {
                    isOpaque = true
                    return
                }
                guard let event = step.event else { return }
                index += step.consumed
                if case .opaque = event { isOpaque = true }
            }
        }

        var isComplete: Bool {
            !isOpaque && parser.expectedCount == 0 && parser.isBetweenMessages
        }
    }

    private func answer(_ random: inout SeededRandom) -> String {
        let isLikely = random.chance(60)
        let start = Self.starts[random.below(isLikely ? 2 : Self.starts.count)]
        let fields = (0..<random.below(3)).map { _ in
            Self.lines[isLikely ? 1 : random.below(Self.lines.count)]
        }
        let length = isLikely ? Self.lines[0] : Self.lines[random.below(Self.lines.count)]
        let content = Self.contents[isLikely ? 0 : random.below(Self.contents.count)]
        return ([start] + fields + [length]).map { $0 + "\r\n" }.joined() + "\r\n" + content
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `answers count as they do for the parser`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var complete = 0
        for _ in 0..<500 {
            var count = AnswerCount()
            var reference = Reference()
            let requests = (0..<1 + random.below(3)).map { _ in
                ["GET", "HEAD", "POST", "CONNECT"][random.below(random.chance(80) ? 1 : 4)]
            }
            for method in requests {
                count.expect(method: method)
                reference.parser.expect(method: method)
            }
            var bytes = requests.map { _ in answer(&random) }.joined().scalarBytes
            if random.chance(20) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            let piece = [1, 7, 40, bytes.count][random.below(4)]
            for start in stride(from: 0, to: bytes.count, by: piece) {
                let part = Array(bytes[start...].prefix(piece))
                count.read(part.span)
                reference.read(part.span)
                #expect(count.isComplete == reference.isComplete, "\(bytes) \(requests)")
            }
            if count.isComplete { complete += 1 }
        }
        #expect(complete > 100 && complete < 400)
    }
}
