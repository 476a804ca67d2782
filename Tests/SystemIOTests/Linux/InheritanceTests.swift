import CLibrary
import Testing

@testable import SystemIO

@Suite struct InheritanceTests {
    /// A reset or a FIN leaves with the last reference to a socket, so a child must hold none.
    @Test func `a child process inherits none of our descriptors`() throws {
        let listener = try ListeningSocket(on: .loopback(port: 0))
        let bound = listener.address
        let address = try #require(bound)
        let client = try Socket(like: address)
        _ = try client.connect(to: address)
        let server = try listener.accept()
        let pipe = try #require(PipePool().take())
        let timer = try TimerDescriptor()
        let poller = try Poller()
        let descriptors = [
            client.descriptor, server.descriptor, pipe.readEnd, pipe.writeEnd, timer.number,
            poller.descriptor,
        ]
        for descriptor in descriptors {
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
    }
}
