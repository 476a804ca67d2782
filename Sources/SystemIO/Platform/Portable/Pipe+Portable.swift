/// What moves bytes from one socket to another without a copy: there is nothing of the kind, so that
/// all connections copy, and none of these is ever made.
package final class Pipe {
    package static let isAvailable = false

    package let count = 0
    package let capacity = 0

    private init() {}

    package func fill(from: borrowing Socket, limit: Int) -> TransferResult { .wouldBlock }
    package func drain(into: borrowing Socket) -> TransferResult { .wouldBlock }
    package func read(into: TransferBuffer) -> TransferResult { .wouldBlock }
}
