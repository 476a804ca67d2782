/// Counts requests by what they concern, so that `Misbehaviour` can name one of them.
package struct RequestTally: Hashable, Sendable {
    /// What a request concerns.
    package enum Kind: CaseIterable, Hashable, Sendable {
        case creation, append, status, cancel
        /// Another request of an upload client, such as OPTIONS or a plain upload.
        case otherUpload
        case object
        case other

        fileprivate var scopes: [Misbehaviour.Scope] {
            switch self {
            case .creation: [.any, .upload, .creation]
            case .append: [.any, .upload, .append]
            case .status: [.any, .upload, .status]
            case .cancel: [.any, .upload, .cancel]
            case .otherUpload: [.any, .upload]
            case .object: [.any, .object]
            case .other: [.any]
            }
        }
    }

    /// The place of one request among those of each scope it belongs to, from 1.
    package struct Ordinals: Hashable, Sendable {
        fileprivate var places: [Misbehaviour.Scope: Int] = [:]

        package subscript(scope: Misbehaviour.Scope) -> Int? { places[scope] }
    }

    private var counts: [Misbehaviour.Scope: Int] = [:]

    package init() {}

    /// Counts a request, and says the how-manieth it is.
    package mutating func count(_ kind: Kind) -> Ordinals {
        for scope in kind.scopes { counts[scope, default: 0] += 1 }
        return ordinals(of: kind)
    }

    /// Which request of a kind was the last.
    package func ordinals(of kind: Kind) -> Ordinals {
        var ordinals = Ordinals()
        for scope in kind.scopes { ordinals.places[scope] = counts[scope] }
        return ordinals
    }
}
