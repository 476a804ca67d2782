/// `/bytes/N?seed=S`: N bytes of known content, of any size and without a disk.
enum SyntheticObject {
    /// The largest one, in bytes.
    static let maximumBytes = UInt64(1) << 50

    /// Reads what stands behind `/bytes/`.
    static func find(_ name: String, query: String?) throws(ObjectProblem) -> OriginObject {
        guard let size = number(name[...]), size <= maximumBytes else {
            throw ObjectProblem(
                404,
                "N in /bytes/N is a number from 0 to \(maximumBytes), for example 1000000."
            )
        }
        var seed: UInt64 = 0
        for item in (query ?? "").split(separator: "&") {
            guard item.hasPrefix("seed="), let value = number(item.dropFirst(5)) else {
                throw ObjectProblem(400, "The only query is ?seed=S, a number.")
            }
            seed = value
        }
        return OriginObject(
            content: .known(KnownContent(seed: seed)),
            size: size,
            // Equal size and seed mean equal bytes.
            tag: "b1-\(size)-\(seed)",
            lastModified: lastModified,
            contentType: "application/octet-stream"
        )
    }

    /// The content never changes, so any moment will do: January 1997, the month of RFC 2068.
    private static let lastModified = 852_076_800

    private static func number(_ text: Substring) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt64(text)
    }
}

/// Why there is no object, for the client to read.
struct ObjectProblem: Error, Hashable {
    let status: Int
    let text: String

    init(_ status: Int, _ text: String) {
        self.status = status
        self.text = text
    }
}
