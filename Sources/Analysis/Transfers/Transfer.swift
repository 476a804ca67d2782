/// One object on its way: everything that served to get or to send it.
package struct Transfer: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case download
        /// An upload to a resource of its own that can be asked for its offset: tus, or the IETF
        /// draft.
        case resumableUpload = "resumable-upload"
        /// An upload in one request.
        case plainUpload = "upload"
        /// Connections whose content is not known.
        case opaque
    }

    /// Where bytes went.
    package struct Figures: Hashable, Sendable {
        /// Bytes of the object that were delivered, each once.
        package var payload: UInt64 = 0
        /// All bytes of content in the object's direction.
        package var wire: UInt64 = 0
        /// Sent again although the client could have gone on behind them.
        package var resentAvoidable: UInt64 = 0
        /// Sent again because there was no other way.
        package var resentForced: UInt64 = 0
        /// Delivered, and then of no use.
        package var abandoned: UInt64 {
            var used = payload
            used.add(resentAvoidable)
            used.add(resentForced)
            return wire > used ? wire - used : 0
        }
    }

    package var kind: Kind
    /// The path that was asked for first.
    package var target: String
    /// Size of the object, if anybody said it.
    package var size: UInt64?
    /// In order of their beginning.
    package var attempts: [Attempt] = []
    package var figures = Figures()
    /// Delivered parts of the last version.
    package var coverage = Coverage()
    /// Whether, as far as the wire shows, the receiver has all of it.
    package var isComplete = false
    /// Of an upload: its URLs, by path, in the order in which the client learnt them.
    package var uploadPaths: [String] = []
    /// Time between failures and what the client did next.
    package var gaps: [RetryGap] = []

    /// Failures after which the client did something, and one: how often it tried.
    package var tryCount: Int {
        gaps.count + attempts.dropLast().count { $0.isLeftInSilence } + 1
    }

    /// The most tries in a row that failed and brought it no byte forward.
    package var vainTryCount: Int {
        var (inARow, most) = (0, 0)
        for attempt in attempts {
            if attempt.progressBytes > 0 {
                inARow = 0
            } else if attempt.hasFailed {
                inARow += 1
            }
            most = max(most, inARow)
        }
        return most
    }

    package var failures: [Attempt.Failure] { attempts.compactMap(\.failure) }

    /// Whether a connection of it was cut, or an attempt failed in another way.
    package var wasInterrupted: Bool { attempts.contains(where: \.hasFailed) }

    package func count(_ kind: Attempt.Kind) -> Int { attempts.count { $0.kind == kind } }

    /// `GET /big.bin` or `POST /files`.
    package var name: String { kind == .opaque ? "opaque connections" : target }
}
