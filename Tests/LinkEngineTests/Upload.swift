import Basics
import LinkEngine

/// A request with a body up and a short response down over one link, in virtual time.
struct Upload {
    var settings = LinkSettings()
    /// The request begins with a separate write, as an HTTP head is.
    var headBytes = 90
    var bodyBytes: Int
    var responseBytes = 44

    /// When the client has the response, in seconds.
    var completion: Double {
        var link = Link(settings: settings, seed: 1)
        let up = Stream(connection: 0, direction: .up)
        let down = Stream(connection: 0, direction: .down)
        link.open(0, at: .start)
        link.send(headBytes, on: up, at: .start)
        var unsent = bodyBytes
        var missing = (up: headBytes + bodyBytes, down: responseBytes)
        var isOpen = false
        while let now = link.nextDeadline {
            link.advance(to: now)
            // The body is written once there is a connection, after the head has left.
            var mayWrite = !isOpen && link.state(of: up)?.smoothedRoundTrip != nil
            isOpen = isOpen || mayWrite
            while let event = link.nextEvent() {
                switch event.kind {
                case .deliver(up, let count):
                    missing.up -= count
                    if missing.up == 0 { link.send(responseBytes, on: down, at: event.at) }
                case .deliver(_, let count):
                    missing.down -= count
                    if missing.down == 0 { return Double(event.at.nanoseconds) / 1e9 }
                case .writable: mayWrite = true
                default: break
                }
            }
            while mayWrite, unsent > 0 {
                let count = min(unsent, link.room(on: up))
                if count == 0 { break }
                link.send(count, on: up, at: now)
                unsent -= count
            }
        }
        return .infinity
    }
}
