/// The head of a request to a proxy, as the server gets it whose content is passed on as it is
/// (RFC 9112 §3.2.2, RFC 9110 §7.6.1).
///
/// What is not for the proxy stays as it came, byte for byte. Whether the connection is kept is for the
/// client and the server to say.
package struct RelayedHead {
    private let request: RequestHead
    private let url: HTTPURL
    /// The names of fields that the server does not get.
    private let dropped: [String]

    /// - Parameters:
    ///   - request: what was read.
    ///   - url: its target.
    package init(_ request: RequestHead, to url: HTTPURL) {
        self.request = request
        self.url = url
        let names = request.fields.connectionOptions + HeaderFields.ofOneConnection
        dropped =
            ["Proxy-Authorization"]
            + names.filter { name in
                !Self.kept.contains(where: HeaderFields.Field(name, "").has)
            }
    }

    /// What says how the content is read, and what is changed instead.
    private static let kept = [
        "Content-Length", "Transfer-Encoding", "Trailer", "Host", "Connection",
    ]

    /// - Parameter head: the bytes that the request was read from; empty lines before it are left out.
    /// - Returns: what the server gets.
    package func bytes(from head: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(head.count + url.hostField.utf8.count)
        var start = head.indices.first { !Self.isLineEnd(head[$0]) } ?? head.count
        var number = -1
        while start < head.count {
            let end = Self.endOfLine(head, from: start)
            switch number {
            case -1: output += startLine.utf8
            case request.fields.fields.count: return output + lastLines.utf8
            default: append(head, start..<end, request.fields.fields[number], to: &output)
            }
            number += 1
            start = end
        }
        return output
    }

    private var startLine: String {
        // OPTIONS without a path is of the whole server.
        let isOfServer =
            request.method == "OPTIONS" && URLReference(request.target)?.path.isEmpty == true
        let version = request.version == .http10 ? "1.0" : "1.1"
        return "\(request.method) \(isOfServer ? "*" : url.target) HTTP/\(version)\r\n"
    }

    /// The fields that were missing, and the end of the head.
    private var lastLines: String {
        (request.fields.contains("Host") ? "" : "Host: \(url.hostField)\r\n") + connection + "\r\n"
    }

    /// Nothing where the version says it.
    private var connection: String {
        switch (request.version, request.keepsConnection) {
        case (.http10, true): "Connection: keep-alive\r\n"
        case (.http10, false), (_, true): ""
        case (_, false): "Connection: close\r\n"
        }
    }

    private func append(
        _ head: Span<UInt8>,
        _ line: Range<Int>,
        _ field: HeaderFields.Field,
        to output: inout [UInt8]
    ) {
        if field.has("Host"), field.value != url.hostField {
            output += "Host: \(url.hostField)\r\n".utf8
        } else if !field.has("Connection"), !dropped.contains(where: field.has) {
            for index in line { output.append(head[index]) }
        }
    }

    private static func endOfLine(_ head: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < head.count, head[index] != UInt8(ascii: "\n") { index += 1 }
        return min(index + 1, head.count)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }
}
