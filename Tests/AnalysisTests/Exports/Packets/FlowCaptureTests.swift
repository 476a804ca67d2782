import Analysis
import Basics
import Journal
import Testing

/// What packets a flow of datagrams becomes.
@Suite struct FlowCaptureTests {
    private static let flow = ConnectionID(listener: 2, ordinal: 3, isFlow: true)

    private static func datagram(
        _ direction: Direction,
        _ number: UInt64,
        _ fate: DatagramReport.Fate,
        came: Int,
        bytes: UInt64 = 1_200,
        packets: [String] = []
    ) -> JournalRecord {
        .datagram(
            DatagramReport(
                flow: flow,
                direction: direction,
                number: number,
                bytes: bytes,
                packets: packets,
                fate: fate,
                cameAt: .start + .milliseconds(Int64(came))
            )
        )
    }

    @Test func `a client's datagrams are there as it sent them, a server's as they arrived`() throws
    {
        var story = Story()
        story.add(.flow(Self.flow, environment: [:]), at: 10)
        story.add(.quic(Self.flow, QUICReport(version: "1")), at: 10)
        story.add(Self.datagram(.down, 1, .delivered, came: 25, packets: ["initial"]), at: 30)
        story.add(
            Self.datagram(.up, 1, .delivered, came: 10, packets: ["initial", "0rtt"]),
            at: 20
        )
        story.add(Self.datagram(.down, 2, .link, came: 35), at: 36)
        story.add(Self.datagram(.up, 2, .fault, came: 40, bytes: 50), at: 40)
        story.add(Self.datagram(.down, 3, .delivered, came: 50, bytes: 65_507), at: 60)
        for (address, time) in [("up#2", 40), ("1rtt:down#3", 70)] {
            story.add(
                .fault(
                    FaultReport(
                        connection: Self.flow,
                        id: "u3:\(address)=drop",
                        address: address,
                        effect: "drop",
                        state: .fired,
                        offset: nil
                    )
                ),
                at: time
            )
        }
        let capture = PacketCapture(Transcript(story.records), creatorVersion: "9")
        let packets = try CaptureReading(capture.bytes).packets
        #expect(packets.map(\.isUp) == [true, false, true, false])
        #expect(packets.map { $0.atNanoseconds / 1_000_000 } == [10, 30, 40, 60])
        #expect(packets.map(\.content) == [1_200, 1_200, 50, 65_507])
        #expect(Set(packets.map(\.stream)).count == 1)
        #expect(packets[0].clientPort == 10_003)
        #expect(packets[0].comments == ["u3 up#1: QUIC initial, 0rtt"])
        #expect(packets[1].comments == ["u3 down#1: QUIC initial"])
        #expect(
            packets[2].comments
                == ["u3 up#2; lost by a fault", "fault u3:up#2=drop: drop at up#2"]
        )
        #expect(packets[3].comments[1] == "fault u3:1rtt:down#3=drop: drop at 1rtt:down#3")
    }

    @Test func `without records of its datagrams a flow is not there`() throws {
        var story = Story()
        story.add(.flow(Self.flow, environment: [:]), at: 10)
        let capture = PacketCapture(Transcript(story.records), creatorVersion: "9")
        #expect(try CaptureReading(capture.bytes).packets.isEmpty)
    }

    @Test func `many faults find their datagrams among many`() throws {
        var story = Story()
        story.add(.flow(Self.flow, environment: [:]), at: 10)
        let count = 20_000
        for number in 1...count {
            story.add(Self.datagram(.up, UInt64(number), .fault, came: number), at: number)
        }
        for number in 1...count {
            // Every second one says at which packet it acted, in another way than the datagram's own.
            let address = number.isMultiple(of: 2) ? "up#\(number)" : "1rtt:up#\(number)"
            let fault = FaultReport(
                connection: Self.flow,
                id: "u3:\(address)=drop",
                address: address,
                effect: "drop",
                state: .fired,
                offset: nil
            )
            story.add(.fault(fault), at: number)
        }
        let capture = PacketCapture(Transcript(story.records), creatorVersion: "9")
        let packets = try CaptureReading(capture.bytes).packets
        #expect(packets.count == count)
        for number in [1, 2, 9_999, 10_000, 19_999, 20_000] {
            #expect(packets[number - 1].comments.count == 2)
            #expect(packets[number - 1].comments.last?.hasSuffix("up#\(number)") == true)
        }
    }
}
