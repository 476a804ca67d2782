package import ResumableClient
package import SystemIO

/// Follows the status of the path that somebody publishes.
///
/// A Unix socket gives one JSON line for each status; a connection that ends is made again. A file
/// holds one such line and is read again and again. Statuses are numbered here in the order in which
/// they come, since a publisher that was started anew counts from 1 again.
package final class PathWatcher {
    private let source: String
    private let loop: EventLoop
    private let timer: Timer
    private let onChange: (PathStatus) -> Void
    private let onTrouble: (String) -> Void
    private var connection: Connection?
    private var isClosed = false
    private var trouble: String?
    private var sequence: UInt64 = 0
    /// The latest status; nil before the first one.
    package private(set) var status: PathStatus?

    /// How long to wait before a socket is connected to again.
    private static let reconnectMilliseconds: UInt64 = 250
    /// How often a file is read.
    private static let pollMilliseconds: UInt64 = 100

    /// Begins to follow.
    ///
    /// - Parameters:
    ///   - source: the path of a Unix socket or of a file.
    ///   - loop: where everything happens.
    ///   - onChange: gets the first status and each that differs from the one before.
    ///   - onTrouble: gets, once for each, why there is no status for now.
    /// - Throws: what the system says when it has no timer left.
    package init(
        _ source: String,
        on loop: EventLoop,
        onChange: @escaping (PathStatus) -> Void,
        onTrouble: @escaping (String) -> Void = { _ in }
    ) throws(SystemError) {
        self.source = source
        self.loop = loop
        self.onChange = onChange
        self.onTrouble = onTrouble
        let alarm = TimerTarget()
        timer = try Timer(loop: loop) { alarm.watcher?.look() }
        alarm.watcher = self
    }

    /// Looks once whether `source` can tell a status at all.
    ///
    /// - Parameter source: the path of a Unix socket or of a file.
    /// - Throws: why it cannot.
    package static func check(_ source: String) throws(PathSourceError) {
        let state: SocketFile.State
        var line: [UInt8] = []
        do throws(SystemError) {
            state = try SocketFile.state(at: source)
            if state == .notSocket { line = try content(of: source) }
        } catch {
            throw PathSourceError(.missing, "cannot read '\(source)': \(error)")
        }
        switch state {
        case .absent: throw PathSourceError(.missing, "there is no file or socket '\(source)'")
        case .stale: throw PathSourceError(.silent, "nothing listens at '\(source)'")
        case .live: return
        case .notSocket: break
        }
        do throws(PathStatusError) {
            _ = try PathStatusText.parse(line[...])
        } catch {
            throw PathSourceError(.malformed, "'\(source)' holds no path status: \(error)")
        }
    }

    private static func content(of source: String) throws(SystemError) -> [UInt8] {
        let file = try File(source, for: .reading)
        return try file.read(at: 0, count: PathStatusText.lineLimit)
    }

    /// Looks for the first time; what it finds may be told before this returns.
    package func start() { look() }

    package func close() {
        isClosed = true
        timer.close()
        connection?.close()
        connection = nil
    }

    /// What the timer speaks to; the timer is made before the watcher is complete.
    private final class TimerTarget {
        weak var watcher: PathWatcher?
    }

    private func look() {
        guard !isClosed, connection == nil else { return }
        do throws(SystemError) {
            switch try SocketFile.state(at: source) {
            case .absent: tell("there is no file '\(source)'")
            case .stale: tell("nothing listens at '\(source)'")
            case .live:
                connection = try Connection(to: source, for: self)
                return
            case .notSocket: try read()
            }
        } catch {
            tell("cannot read '\(source)': \(error)")
        }
        if !isClosed { timer.start(afterMilliseconds: Self.pollMilliseconds) }
    }

    private func read() throws(SystemError) {
        take(try Self.content(of: source))
    }

    private func take(_ line: [UInt8]) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        do throws(PathStatusError) {
            var next = try PathStatusText.parse(line[...])
            trouble = nil
            next.sequence = sequence
            guard next != status else { return }
            sequence += 1
            next.sequence = sequence
            status = next
            onChange(next)
        } catch {
            tell("'\(source)' gives no path status: \(error)")
        }
    }

    private func connectionEnded() {
        connection = nil
        guard !isClosed else { return }
        timer.start(afterMilliseconds: Self.reconnectMilliseconds)
    }

    private func tell(_ text: String) {
        guard trouble != text else { return }
        trouble = text
        onTrouble(text)
    }

    /// A connection to the publisher.
    private final class Connection: ReadinessHandler {
        private weak var watcher: PathWatcher?
        private let loop: EventLoop
        private var socket: Socket
        private var token = WatchToken.none
        private var lines = LineSplitter(limit: PathStatusText.lineLimit)
        private let buffer = TransferBuffer(capacity: PathStatusText.lineLimit)

        init(to path: String, for watcher: PathWatcher) throws(SystemError) {
            self.watcher = watcher
            loop = watcher.loop
            socket = try Socket(like: .unix(path))
            _ = try socket.connect(to: .unix(path))
            token = try loop.watch(socket, handler: self)
        }

        func ready(_ readiness: Readiness, tag: UInt32) {
            while socket.isOpen {
                switch socket.receive(into: buffer, limit: buffer.capacity) {
                case .moved(let count):
                    for line in lines.append(buffer.bytes(0..<count)) { watcher?.take(line) }
                case .wouldBlock: return
                case .ended, .failed:
                    close()
                    watcher?.connectionEnded()
                }
            }
        }

        func close() {
            guard socket.isOpen else { return }
            loop.unwatch(token)
            socket.close()
        }
    }
}

/// Why nothing can be learnt from a source of path statuses.
package struct PathSourceError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        case missing
        /// A socket at which nobody listens.
        case silent
        /// A file with something else in it.
        case malformed
    }

    package let kind: Kind
    package let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
