@testable import Proxy

/// Messages of the live tests, and a server that answers when a request is complete.
enum HTTPExchange {
    static let bodySize = 300_000
    static let body = String((0..<bodySize).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
    static let get = "GET /big.bin?token=secret HTTP/1.1\r\nHost: x\r\n\r\n"
    static let answerHead =
        "HTTP/1.1 200 OK\r\nContent-Length: \(bodySize)\r\nETag: \"a\"\r\n\r\n"
    static let putHead =
        "PUT /u/1 HTTP/1.1\r\nHost: x\r\nContent-Length: \(bodySize)\r\n\r\n"
    static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    static let progress = "HTTP/1.1 104 Upload Resumption Supported\r\nLocation: /u/1\r\n\r\n"
    static let created = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"

    /// Ten chunks and the last one.
    static let chunked =
        (0..<10).map { index in
            let start = body.utf8.index(body.utf8.startIndex, offsetBy: index * 30_000)
            let end = body.utf8.index(start, offsetBy: 30_000)
            return "7530\r\n\(body[start..<end])\r\n"
        }.joined() + "0\r\n\r\n"
}

extension Rig {
    /// Lets the server say something whenever it has a further request in full.
    ///
    /// - Parameters:
    ///   - size: bytes of each request.
    ///   - answers: for one request after the other.
    func answer(requestsOf size: Int, with answers: [String]) {
        onServe = { peer in
            peer.keepsReceived = true
            var said = 0
            peer.onReceive = { peer, _ in
                while said < answers.count, peer.receivedCount >= size * (said + 1) {
                    peer.say(answers[said])
                    said += 1
                }
            }
        }
    }

    /// A client that keeps what it gets.
    func connectKeeping() throws -> TestPeer {
        let client = try connect()
        client.keepsReceived = true
        return client
    }
}
