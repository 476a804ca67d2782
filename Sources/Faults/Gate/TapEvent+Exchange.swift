internal import HTTPWire

extension TapEvent {
    /// Of the server's messages: the request that is answered.
    var answered: Int? {
        switch self {
        case .interim(let r, _, _, _), .responseHead(let r, _, _, _),
            .chunk(.server, let r, _, _, _, _), .content(.server, let r, _, _),
            .messageEnd(.server, let r, _, _, _), .incompleteHead(.server, let r, _),
            .inside(.server, let r, _, _):
            r
        case .requestHead, .chunk, .content, .messageEnd, .incompleteHead, .inside,
            .opaque:
            nil
        }
    }

    /// Where the bytes of an answer's head begin.
    var answerStart: UInt64? {
        switch self {
        case .interim(_, _, _, let range), .responseHead(_, _, _, let range): range.lowerBound
        default: nil
        }
    }

    /// Where the bytes end that tell it.
    var place: UInt64 {
        switch self {
        case .requestHead(_, _, _, let range), .interim(_, _, _, let range),
            .responseHead(_, _, _, let range), .chunk(_, _, _, _, _, let range),
            .content(_, _, let range, _), .incompleteHead(_, _, let range):
            range.upperBound
        case .messageEnd(_, _, let place, _, _), .opaque(_, let place, _): place
        case .inside(_, _, _, let event): event.place
        }
    }

    /// Who sent what this is about.
    var side: TapSide {
        switch self {
        case .requestHead: .client
        case .interim, .responseHead: .server
        case .chunk(let side, _, _, _, _, _), .content(let side, _, _, _),
            .messageEnd(let side, _, _, _, _), .incompleteHead(let side, _, _),
            .inside(let side, _, _, _), .opaque(let side, _, _):
            side
        }
    }
}

extension InsideEvent {
    /// Where the bytes end that tell it.
    fileprivate var place: UInt64 {
        switch self {
        case .part(let part): part.bytes.upperBound
        case .control(_, let range): range.upperBound
        case .begun(_, _, let place), .whole(_, let place), .close(_, let place),
            .told(_, _, let place), .status(_, let place), .end(_, let place), .lost(let place):
            place
        }
    }
}
