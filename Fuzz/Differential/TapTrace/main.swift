// Reads cases from the standard input and writes what the tap says of each as one line, in the form
// that cases.py describes.

import HTTPWire

/// One message: its head's end, how much content it has and which, and where it ends.
private struct Message {
    var headEnd: UInt64
    var bytes: UInt64 = 0
    var digest: UInt32 = 0x811C_9DC5
    var end: UInt64?
}

/// One direction of a case.
private struct Direction {
    var messages: [Message] = []
    var isOpaque = false

    mutating func add(_ content: ArraySlice<UInt8>) {
        guard var message = messages.popLast() else { return }
        message.bytes += UInt64(content.count)
        for byte in content { message.digest = (message.digest ^ UInt32(byte)) &* 0x0100_0193 }
        messages.append(message)
    }

    var text: String {
        let words = messages.map { message in
            let end = message.end.map { "\($0)" } ?? "-"
            return "\(message.headEnd):\(message.bytes):\(message.digest):\(end)"
        }
        return (words + [isOpaque ? "E" : "P"]).joined(separator: " ")
    }
}

private func trace(_ client: [UInt8], _ server: [UInt8], pieces: Int) -> String {
    var tap = HTTPTap()
    var events: [TapEvent] = []
    for (side, bytes) in [(TapSide.client, client), (.server, server)] {
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let end = min(start + pieces, bytes.count)
            tap.read(bytes.span.extracting(start..<end), from: side, into: &events)
        }
    }
    var requests = Direction()
    var responses = Direction()
    for event in events {
        switch event {
        case .requestHead(_, _, _, let range):
            requests.messages.append(Message(headEnd: range.upperBound))
        case .interim(_, _, _, let range):
            responses.messages.append(Message(headEnd: range.upperBound, end: range.upperBound))
        case .responseHead(_, _, _, let range):
            responses.messages.append(Message(headEnd: range.upperBound))
        case .content(.client, _, let range, _):
            requests.add(client[Int(range.lowerBound)..<Int(range.upperBound)])
        case .content(.server, _, let range, _):
            responses.add(server[Int(range.lowerBound)..<Int(range.upperBound)])
        case .messageEnd(.client, _, let place, _, _):
            requests.messages[requests.messages.count - 1].end = place
        case .messageEnd(.server, _, let place, _, _):
            responses.messages[responses.messages.count - 1].end = place
        case .opaque(.client, _, _): requests.isOpaque = true
        case .opaque(.server, _, _): responses.isOpaque = true
        case .chunk, .incompleteHead, .inside: break
        }
    }
    return "\(requests.text) | \(responses.text)"
}

private func bytes(_ hexadecimal: Substring) -> [UInt8] {
    var result: [UInt8] = []
    var high: UInt8?
    for digit in hexadecimal.utf8 {
        let value = digit < 0x40 ? digit - 0x30 : digit - 0x57
        if let first = high {
            result.append(first << 4 | value)
            high = nil
        } else {
            high = value
        }
    }
    return result
}

var number = 0
while let line = readLine() {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(bytes)
    number += 1
    print(trace(parts[0], parts[1], pieces: [.max / 2, 1, 3, 40][number % 4]))
}
