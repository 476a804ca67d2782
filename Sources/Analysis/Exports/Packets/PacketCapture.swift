internal import Basics
internal import Journal

/// A run as a packet capture, pcapng version 1.0: what connections would have looked like at the
/// client, as far as the journal knows it.
///
/// The format is that of draft-ietf-opsawg-pcapng. Nothing was captured: addresses, ports and
/// sequence numbers are made up, packets hold their headers alone, and their original length says
/// how many bytes of content a journal counts there. Flows of datagrams are in it if the journal holds
/// their datagrams one by one. Comments name requests, answers and QUIC packets, and what each fault did
/// begins with `fault`, so that `frame.comment contains "fault"` finds it.
package struct PacketCapture {
    private let transcript: Transcript
    private let creatorVersion: String

    /// - Parameters:
    ///   - transcript: of one run.
    ///   - creatorVersion: of the program that makes the file.
    package init(_ transcript: Transcript, creatorVersion: String) {
        self.transcript = transcript
        self.creatorVersion = creatorVersion
    }

    /// The file.
    package var bytes: [UInt8] {
        var writer = PacketCaptureWriter()
        writer.begin(
            comment: comment,
            hardware: "synthetic",
            application: "linkcond \(creatorVersion) (synthetic)",
            interface: "linkcond",
            maximumLength: SyntheticPacket.maximumHeaderLength
        )
        for packet in packets {
            let (began, overflow) = beganNanoseconds.addingReportingOverflow(
                UInt64(max(0, packet.at.nanoseconds))
            )
            writer.add(
                packet.header,
                originalLength: packet.header.count + packet.contentBytes,
                atNanoseconds: overflow ? .max : began,
                comments: packet.comments
            )
        }
        return writer.bytes
    }

    /// Of all connections, by time; those of a connection in their own order.
    private var packets: [CapturedPacket] {
        let exchanges = Dictionary(grouping: transcript.exchanges, by: \.id.connection)
        var packets: [CapturedPacket] = []
        for connection in transcript.connections {
            packets += SyntheticConnection(connection, exchanges[connection.id] ?? []).packets
                .map(CapturedPacket.init)
        }
        for flow in transcript.flows { packets += SyntheticFlow(flow).packets }
        let order = packets.indices.sorted {
            (packets[$0].at, $0) < (packets[$1].at, $1)
        }
        return order.map { packets[$0] }
    }

    private var comment: String {
        var comment = """
            synthetic: made by linkcond from the journal of a run, not captured. Addresses, ports \
            and sequence numbers are made up; content is counted, not held, and its checksums are 0.
            """
        if let start = transcript.start {
            let schedule = transcript.schedule ?? start.schedule
            comment += " \(start.tool), profile \(start.profile), \(schedule)."
        }
        if wallClock == nil {
            comment += " The journal does not say when the run began: times count from 1970."
        }
        return comment
    }

    private var wallClock: UInt64? {
        guard case .integer(let value)? = transcript.start?.environment["began_ms"] else {
            return nil
        }
        return UInt64(exactly: value)
    }

    private var beganNanoseconds: UInt64 {
        let (product, overflow) = (wallClock ?? 0).multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : product
    }
}
