/// What a socket tells its loop of reads and writes: nothing, since epoll itself sees when a socket
/// that was empty or full is so no more.
struct SocketInterest {
    @inline(__always) func noteRead(_ result: TransferResult, of asked: Int) {}
    @inline(__always) func noteWrite(_ result: TransferResult, of asked: Int) {}
    @inline(__always) func notePeek() {}
    @inline(__always) func end() {}
}
