import Exploration
import Faults
import Testing

/// The edges that a campaign finds against those that trying every byte finds.
@Suite struct EdgeSearchTests {
    /// A client whose exit code changes at some bytes of the answer.
    private func client(_ map: BoundaryMap, _ edges: [UInt64]) -> SimulatedClient {
        SimulatedClient(map: map) { point in
            guard let fault = point.faults.first, fault.address.isInResponse,
                let position = ProtocolPositions(map).axis(of: fault)?.position(of: fault.address)
            else {
                return SimulatedClient.outcome()
            }
            let code = edges.count { $0 <= position } + 10
            return SimulatedClient.outcome(.exited(Int32(code)), .partial)
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `an edge between two boundaries is found to the byte, wherever it is`(seed: UInt64) {
        let map = SimulatedClient.download(head: 40 + seed, body: 500 + 37 * seed)
        let axis = Axis(
            .requests(on: .one(1), .one(1)),
            .response,
            head: 40 + seed,
            body: 500 + 37 * seed,
            framing: .length
        )
        let boundaries = axis.boundaries()
        // One edge in every other gap.
        let edges = stride(from: 0, to: boundaries.count - 1, by: 2).map { index in
            let width = boundaries[index + 1] - boundaries[index]
            return boundaries[index] + 1 + (seed &* 7_919 + UInt64(index) &* 104_729) % width
        }
        var settings = CampaignSettings()
        settings.effects = [.finish]
        var campaign = Campaign(settings)
        client(map, edges).run(&campaign)
        let places = campaign.records.filter {
            $0.series == "c1/r1:resp=fin" && $0.purpose != .verify
        }
        let known = Dictionary(
            places.compactMap { record in record.at.map { ($0, record.signature.ending) } }
        ) { first, _ in first }
        for edge in edges {
            #expect(known[edge] != nil && known[edge - 1] != nil)
            #expect(known[edge] != known[edge - 1])
        }
        // A bisection costs the logarithm of the gap.
        #expect(places.count < boundaries.count + edges.count * 12)
    }

    @Test func `in a large body neighbours a hundredth of it apart are left alone`() {
        // The powers of two 1,024 and 2,048 are that far apart.
        let map = SimulatedClient.download(head: 100, body: 102_400)
        var settings = CampaignSettings()
        settings.effects = [.finish]
        var campaign = Campaign(settings)
        client(map, [100 + 1_500, 100 + 3_000]).run(&campaign)
        let tried = Set(
            campaign.records.filter { $0.series == "c1/r1:resp=fin" }.compactMap(\.at)
        )
        #expect(tried.isSuperset(of: [1_124, 2_148, 4_196]))
        #expect(tried.filter { (1_125..<2_148).contains($0) }.isEmpty)
        #expect(tried.filter { (2_149..<4_196).contains($0) } == [3_172])
    }

    @Test func `that only one of two left something to begin with is no edge`() {
        let map = SimulatedClient.download(head: 100, body: 10_000)
        let client = SimulatedClient(map: map) { point in
            guard let fault = point.faults.first, fault.address.isInResponse,
                let position = ProtocolPositions(map).axis(of: fault)?.position(of: fault.address)
            else {
                return SimulatedClient.outcome()
            }
            var outcome = SimulatedClient.outcome(.exited(18), .partial)
            if position > 100 + 3_000 {
                outcome.recovery = .init(ending: .exited(0), content: .right)
            }
            return outcome
        }
        var settings = CampaignSettings()
        settings.effects = [.finish]
        var campaign = Campaign(settings)
        client.run(&campaign)
        let tried = campaign.records.compactMap(\.at)
        #expect(tried.contains { $0 > 3_100 } && tried.contains { (101..<3_100).contains($0) })
        #expect(campaign.records.allSatisfy { $0.purpose != .edge })
    }

    @Test func `a fault that did not act is no neighbour to compare with`() {
        let map = SimulatedClient.download()
        let client = SimulatedClient(map: map) { point in
            var outcome = SimulatedClient.outcome()
            if point.faults.first?.address.isIn(.head) == true {
                outcome.faults = [.unreached(reason: "connection ended")]
            }
            return outcome
        }
        var settings = CampaignSettings()
        settings.effects = [.finish]
        var campaign = Campaign(settings)
        client.run(&campaign)
        #expect(campaign.records.allSatisfy { $0.purpose == .boundary })
        #expect(CampaignReport(of: campaign).counts.unreached > 0)
    }
}
