/// What carries one request to a server: a connection of HTTP/1.1, or a stream of HTTP/2.
protocol ClientCarrier: AnyObject {
    /// Bytes that were sent, of all requests that it has carried.
    var sentBytes: Int { get }
    /// Bytes that the kernel took and that the server's has not acknowledged.
    var unacknowledgedBytes: Int { get }

    /// Goes on with what the exchange's owner has asked for.
    func wake()

    /// Ends the exchange at once, without a word to its owner.
    func reset()
}
