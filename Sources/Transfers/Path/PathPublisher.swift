package import ResumableClient
package import SystemIO

/// Tells whoever connects to a Unix socket what the path is like, now and after each change.
///
/// One JSON line for each status; the present one comes at once. Only the owner of the socket file
/// can connect. A reader that lets lines pile up in the kernel is closed: it would see a past that
/// no longer matters, and comes back for the present.
package final class PathPublisher {
    private let loop: EventLoop
    private var listener: ListeningSocket
    private var acceptor = WatchToken.none
    private lazy var acceptHandler = AcceptHandler(publisher: self)
    private var readers: [Int: Reader] = [:]
    private var nextReader = 0
    private let buffer = TransferBuffer(capacity: PathStatusText.lineLimit)
    /// What was said last; its sequence number counts the changes from 1.
    package private(set) var status: PathStatus

    /// The most readers at one time.
    package static let readerLimit = 256

    /// Listens at `path`; a file that another process left there without removing it goes away.
    ///
    /// - Throws: `addressInUse` if somebody listens there or something else has that name.
    package init(
        at path: String,
        _ status: PathStatus,
        on loop: EventLoop
    ) throws(SystemError) {
        guard path.utf8.count <= SocketAddress.maximumPathBytes else { throw .invalidArgument }
        switch try SocketFile.state(at: path) {
        case .absent: break
        case .stale: SocketFile.remove(path)
        case .live, .notSocket: throw .addressInUse
        }
        self.loop = loop
        self.status = status
        self.status.sequence = 1
        listener = try ListeningSocket(on: .unix(path))
        acceptor = try listener.watch(on: loop, handler: acceptHandler)
    }

    package var readerCount: Int { readers.count }

    /// Says a status unless it is the present one; the sequence number is set here.
    package func publish(_ status: PathStatus) {
        var next = status
        next.sequence = self.status.sequence
        guard next != self.status else { return }
        next.sequence += 1
        self.status = next
        for key in readers.keys.sorted() { readers[key]?.tell(next) }
    }

    package func close() {
        guard listener.isOpen else { return }
        listener.unwatch(acceptor, on: loop)
        let file = listener.file
        listener.close()
        file?.remove()
        for key in readers.keys.sorted() { readers[key]?.close() }
    }

    private func accept() {
        while let socket = try? listener.accept(), socket.isOpen {
            guard readers.count < Self.readerLimit else { continue }
            let reader = Reader(number: nextReader, socket: socket, publisher: self)
            nextReader += 1
            readers[reader.number] = reader
            reader.start(status)
        }
    }

    private final class AcceptHandler: ReadinessHandler {
        private weak var publisher: PathPublisher?

        init(publisher: PathPublisher) { self.publisher = publisher }

        func ready(_ readiness: Readiness, tag: UInt32) { publisher?.accept() }
    }

    /// One connection; what it sends is thrown away.
    private final class Reader: ReadinessHandler {
        let number: Int
        private unowned let publisher: PathPublisher
        private var socket: Socket
        private var token = WatchToken.none

        init(number: Int, socket: consuming Socket, publisher: PathPublisher) {
            self.number = number
            self.publisher = publisher
            self.socket = socket
        }

        func start(_ status: PathStatus) {
            do throws(SystemError) {
                token = try publisher.loop.watch(socket, handler: self)
                tell(status)
            } catch {
                close()
            }
        }

        func tell(_ status: PathStatus) {
            let line = PathStatusText.line(status)
            publisher.buffer.fill(line)
            let sent = socket.send(publisher.buffer, from: 0, count: line.count)
            if sent != .moved(line.count) { close() }
        }

        func ready(_ readiness: Readiness, tag: UInt32) {
            switch socket.discardReceived(using: publisher.buffer) {
            case .moved, .wouldBlock: break
            case .ended, .failed: close()
            }
        }

        func close() {
            guard socket.isOpen else { return }
            publisher.loop.unwatch(token)
            socket.close()
            publisher.readers[number] = nil
        }
    }
}
