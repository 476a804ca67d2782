// Invariants: whatever bytes come, reading them ends; what is read can be written and means the same
// again; and a resolver answers a query with a response that has its number and fits the datagram.

import Basics
import DNS
import DNSWire
import Faults
import FuzzSupport

let settings = {
    var settings = Resolver.Settings(seed: 7)
    settings.names = ["a.test=127.0.0.1,127.0.0.2,::1"].map { text in
        guard let names = try? NamedAddresses(parsing: text) else { fatalError(text) }
        return names
    }
    settings.faults = [
        "A(*)#1=nxdomain", "A(*)#2=wrong", "*(*)#3=cname-loop", "*(*)#*?50%=ttl(0)",
        "AAAA(*)#*=dead-first", "*(*)#4=truncate",
    ].map { text in
        guard let fault = try? QueryFault(parsing: text) else { fatalError(text) }
        return fault
    }
    settings.forwards = true
    return settings
}()

func check(_ reply: QueryReply, to bytes: [UInt8]) {
    guard case .bytes(let answer) = reply.delivery else { return }
    guard let message = try? DNSMessage(parsing: answer) else {
        fatalError("an answer is a message")
    }
    require(message.flags.isResponse, "an answer is a response")
    require(answer.prefix(2) == bytes.prefix(2), "an answer has the number of its query")
    require(reply.report.transport == .tcp || answer.count <= 4_096, "an answer fits")
}

fuzz { bytes in
    if let message = try? DNSMessage(parsing: bytes) {
        let again = try? DNSMessage(parsing: message.bytes(limit: .max))
        require(again == message, "what is read can be written")
        for question in message.questions {
            require(question.name.wire.count <= DomainName.limit, "a name has a limit")
            _ = question.name.text
        }
    }
    var resolver = Resolver(settings)
    for transport: QueryTransport in [.udp, .tcp, .udp, .udp] {
        switch resolver.take(bytes, over: transport) {
        case .ignore: break
        case .reply(let reply): check(reply, to: bytes)
        case .forward(let query):
            check(resolver.finish(query, with: nil), to: bytes)
            var answer = bytes
            if answer.count > 2 { answer[2] |= 0x80 }
            check(resolver.finish(query, with: answer), to: bytes)
        }
    }
    _ = try? QueryFault(parsing: String(decoding: bytes, as: UTF8.self))
    _ = NetworkAddress(String(decoding: bytes, as: UTF8.self))
}
