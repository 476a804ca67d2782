internal import HTTPTransport
internal import ResumableServer
internal import SystemIO

/// The bytes that answers with an object are made of: its own as they are now, in the content coding
/// in which it is given.
struct GivenContent {
    private let object: OriginObject
    private let served: ServedObject
    /// Of all bytes of the object; nil until somebody needs it.
    private var checksum: UInt32?

    /// Larger objects are not read through for one answer, in bytes.
    static let maximumCodedBytes = 1 << 30

    init(_ object: OriginObject, _ served: ServedObject) {
        self.object = object
        self.served = served
    }

    /// Whether there is all that an answer needs; else it is for `complete` to find.
    func suffices(for plan: RangePlan) -> Bool {
        guard let gzip = served.gzip, checksum == nil else { return true }
        return plan.pieces.allSatisfy { piece in
            if case .content(let range) = piece { !gzip.hasChecksum(in: range) } else { true }
        }
    }

    /// Finds what only the whole object can tell, on another thread.
    func complete(
        on loop: EventLoop,
        done: @escaping (Result<GivenContent, ObjectProblem>) -> Void
    ) {
        let (object, size, revision) = (object, served.contentSize, served.revision)
        guard size <= Self.maximumCodedBytes else {
            let limit = Self.maximumCodedBytes >> 30
            return done(
                .failure(ObjectProblem(500, "gzip is for objects of at most \(limit) GiB."))
            )
        }
        BackgroundWork.run(on: loop) {
            RevisedContent.checksum(object, size: UInt64(size), revision: revision)
        } done: { checksum in
            guard let checksum else {
                return done(.failure(ObjectProblem(500, "The file cannot be read.")))
            }
            var complete = self
            complete.checksum = checksum
            done(.success(complete))
        }
    }

    /// The parts of a message's content that a piece of an answer is.
    func segments(_ piece: RangePlan.Piece) -> [BodySegment] {
        switch piece {
        case .text(let bytes): [.bytes(bytes)]
        case .content(let range):
            if let gzip = served.gzip {
                gzip.pieces(range, checksum: checksum ?? 0).map(uncoded)
            } else {
                [uncoded(piece)]
            }
        }
    }

    private func uncoded(_ piece: RangePlan.Piece) -> BodySegment {
        switch piece {
        case .text(let bytes): .bytes(bytes)
        case .content(let range):
            RevisedContent.segment(
                object,
                UInt64(range.lowerBound)..<UInt64(range.upperBound),
                revision: served.revision
            )
        }
    }
}
