internal import Basics
package import HTTPWire

/// The object, or where uploads are created, and which fields every request has.
package struct ProbePlace: Hashable, Sendable {
    package let url: HTTPURL
    let fields: HeaderFields
    /// A URL or path of what was uploaded, with `{id}` for the last part of the upload's URL.
    private let content: String?

    package init(_ url: HTTPURL, _ fields: HeaderFields, content: String? = nil) {
        self.url = url
        self.fields = fields
        self.content = content
    }

    /// Where the content of a complete upload may be fetched.
    ///
    /// - Parameters:
    ///   - upload: its URL.
    ///   - final: the answer that completed it.
    /// - Returns: what the template says, or else what the answer says, or else the upload itself.
    func content(of upload: HTTPURL, _ final: ProbeReply) -> ProbeRequest {
        let path = upload.target.prefix { $0 != "?" }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let named = content?.replacing("{id}", with: name) ?? final.fields["Location"]
        let place = named.flatMap { try? url.resolving($0) } ?? upload
        // What the fields hold is for one server.
        return ProbedObject.request(place, place.hasSameOrigin(as: url) ? fields : [:])
    }
}
