/// A request to a proxy that needs no taking apart: GET or HEAD, without content, and with nothing in
/// its fields that is for the proxy.
///
/// Nearly all requests on a kept connection are such, and one pass over their bytes is enough. Any other
/// request, a wrong one included, is for `RequestParser` and `RelayedHead`, which turn a plain request
/// into the same bytes.
package struct PlainRequest {
    package let method: String
    /// What the server gets.
    package let bytes: [UInt8]
    /// Where in the given bytes the next request begins.
    package let end: Int

    /// Reads a request; nil for any other, one that writes the authority in another way, and one that
    /// has not come whole.
    ///
    /// - Parameters:
    ///   - bytes: as they came.
    ///   - start: where the request begins in them.
    ///   - authority: of the server, as `HTTPURL.hostField` writes it.
    package init?(in bytes: Span<UInt8>, from start: Int, to authority: [UInt8]) {
        let limits = MessageLimits()
        var scan = Scan(head: HeadScan(index: start))
        guard let method = scan.method(bytes), scan.head.skip("http://".utf8, bytes),
            scan.head.skip(authority, bytes)
        else { return nil }
        let target = scan.head.index
        guard scan.skipTarget(bytes), scan.head.index - start <= limits.startLine,
            scan.skipFields(bytes, authority, limit: limits.fields),
            scan.head.index - start <= limits.head
        else { return nil }
        self.method = method
        end = scan.head.index
        var output: [UInt8] = []
        output.reserveCapacity(end - start)
        output += method.utf8
        output.append(UInt8(ascii: " "))
        var next = target
        for line in scan.dropped {
            output.append(bytes, next..<line.lowerBound)
            next = line.upperBound
        }
        output.append(bytes, next..<end)
        self.bytes = output
    }
}

extension PlainRequest {
    /// Moves over the parts of a request; false where it is none that is plain.
    private struct Scan {
        var head: HeadScan
        /// The lines that the server does not get.
        var dropped: [Range<Int>] = []

        mutating func method(_ bytes: Span<UInt8>) -> String? {
            if head.skip("GET ".utf8, bytes) { return "GET" }
            return head.skip("HEAD ".utf8, bytes) ? "HEAD" : nil
        }

        /// The rest of the start line, from the path on.
        mutating func skipTarget(_ bytes: Span<UInt8>) -> Bool {
            var index = head.index
            guard index < bytes.count, bytes[index] == UInt8(ascii: "/") else { return false }
            while index < bytes.count, bytes[index].isURLCharacter,
                bytes[index] != UInt8(ascii: "#")
            {
                index += 1
            }
            head.index = index
            return head.skip(" HTTP/1.1\r\n".utf8, bytes)
        }

        /// All fields and the empty line.
        mutating func skipFields(_ bytes: Span<UInt8>, _ authority: [UInt8], limit: Int) -> Bool {
            var hasHost = false
            for _ in 0...limit {
                if head.skipLineEnd(bytes) { return hasHost }
                let start = head.index
                guard let name = head.skipName(bytes), let value = head.skipValue(bytes) else {
                    return false
                }
                switch Meaning(name: bytes.extracting(name)) {
                case .any: break
                case .host:
                    guard !hasHost, bytes.extracting(value).equals(authority) else { return false }
                    hasHost = true
                case .connection:
                    guard bytes.extracting(value).spells("keep-alive") else { return false }
                    dropped.append(start..<head.index)
                case .dropped: dropped.append(start..<head.index)
                case .special: return false
                }
            }
            return false
        }
    }

    /// What a field is to a proxy.
    private enum Meaning {
        case any, host, connection, dropped, special

        /// Looks at names only that have the length of one that matters.
        init(name: Span<UInt8>) {
            self =
                switch name.count {
                case 4 where name.spells("host"): .host
                case 10 where name.spells("connection"): .connection
                case 16 where name.spells("proxy-connection"): .dropped
                case 2 where name.spells("te"), 7 where name.spells("trailer"),
                    7 where name.spells("upgrade"), 10 where name.spells("keep-alive"),
                    14 where name.spells("content-length"),
                    17 where name.spells("transfer-encoding"),
                    19 where name.spells("proxy-authorization"):
                    .special
                default: .any
                }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        append(copying: bytes.extracting(range))
    }
}
