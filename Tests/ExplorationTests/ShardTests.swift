import Exploration
import Faults
import Testing

@Suite struct ShardTests {
    @Test func `a share is written as index and count`() {
        #expect(Shard(parsing: "2/4")?.text == "2/4")
        for text in ["0/4", "5/4", "1/0", "1", "1/2/3", "a/b", "", "-1/2", "1/100001"] {
            #expect(Shard(parsing: text) == nil, "\(text)")
        }
    }

    @Test func `every point belongs to exactly one share`() throws {
        let shards = try (1...5).map { try #require(Shard(index: $0, count: 5)) }
        var sizes = [Int](repeating: 0, count: 5)
        for offset in 0..<500 {
            let point = try Point(parsing: "lc1;c1/r1:resp.body+\(offset)=fin")
            let owners = shards.indices.filter { shards[$0].owns(point) }
            #expect(owners.count == 1)
            sizes[owners[0]] += 1
            #expect(Shard.whole.owns(point))
        }
        // 100 expected in each; the standard deviation is 9.
        #expect(sizes.allSatisfy { (60...140).contains($0) })
    }

    private func shard(_ environment: [String: String]) throws(Shard.EnvironmentError) -> String {
        try Shard(environment: { environment[$0] }).text
    }

    @Test func `job systems name the share`() throws {
        #expect(
            try shard(["JOB_COMPLETION_INDEX": "0", "LINKCOND_SHARDS": "3"]) == "1/3"
        )
        #expect(
            try shard([
                "SLURM_ARRAY_TASK_ID": "14", "SLURM_ARRAY_TASK_MIN": "10",
                "SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "4",
            ]) == "3/4"
        )
        #expect(try shard(["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"]) == "2/2")
        #expect(try shard(["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4"]) == "1/4")
        #expect(try shard(["CIRCLE_NODE_INDEX": "3", "CIRCLE_NODE_TOTAL": "4"]) == "4/4")
        #expect(
            try shard(["BUILDKITE_PARALLEL_JOB": "1", "BUILDKITE_PARALLEL_JOB_COUNT": "2"]) == "2/2"
        )
        // The first that is set counts.
        #expect(
            try shard([
                "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2", "JOB_COMPLETION_INDEX": "0",
                "LINKCOND_SHARDS": "1",
            ]) == "1/1"
        )
    }

    @Test(arguments: [
        (["JOB_COMPLETION_INDEX": "0"], "LINKCOND_SHARDS"),
        (["SLURM_ARRAY_TASK_ID": "x"], "not a whole number"),
        (
            [
                "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1",
                "SLURM_ARRAY_TASK_COUNT": "3",
            ],
            "shard 7 of 3"
        ),
        (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "2"], "shard 0 of 2"),
        (["CIRCLE_NODE_INDEX": "2", "CIRCLE_NODE_TOTAL": "2"], "shard 3 of 2"),
        ([:], "no shard in the environment"),
    ])
    func `an environment without a whole share says what is missing`(
        environment: [String: String],
        words: String
    ) {
        do throws(Shard.EnvironmentError) {
            let text = try shard(environment)
            Issue.record("shard \(text)")
        } catch {
            #expect(error.words.contains(words))
        }
    }
}
