import Glibc
import LinkcondTesting
import Origin
import SystemIO

// How fast an exploration is whose client is code of the same process: beside a plain loop that runs
// the same client against the same server.
//
// ExploreBench PORT: where an origin listens on the loopback. Prints one line of JSON.

let size = 3_000
let target = "/bytes/\(size)"
let content = KnownContent(seed: 0).bytes(0..<UInt64(size))
let atOnce = 4

func isRight(_ file: String) -> Bool {
    (try? FileSystem.read(file, limit: size + 1)) == content
}

/// Seconds of the clock, and of this process's processor time.
func times() -> (clock: Double, processor: Double) {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    let processor = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    return (Double(now.tv_sec) + Double(now.tv_nsec) / 1e9, processor)
}

struct Measured {
    var count: Int
    var seconds: Double
    var processor: Double

    /// Counts what `work` says that it did.
    init(_ work: () async throws -> Int) async throws {
        let begin = times()
        count = try await work()
        let end = times()
        seconds = end.clock - begin.clock
        processor = end.processor - begin.processor
    }

    var text: String {
        "{\"count\":\(count),\"seconds\":\(seconds),\"processor\":\(processor)}"
    }
}

func plain(_ count: Int, port: UInt16, folder: String) async throws -> Int {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<count {
            if index >= atOnce { try await group.next() }
            let file = "\(folder)/plain-\(index)"
            group.addTask {
                let client = BlockingClient(
                    host: "127.0.0.1",
                    port: port,
                    target: target,
                    file: file
                )
                try await client.fetch()
                if !isRight(file) { throw BlockingClient.Failure() }
            }
        }
        try await group.waitForAll()
    }
    return count
}

func explored(upstream: String?) async throws -> Int {
    let exploration = try await Linkcond.explore(
        upstream: upstream,
        effects: "fin,rst,refuse,swallow",
        client: { network in
            let client = BlockingClient(
                host: network.host,
                port: UInt16(network.port),
                target: target,
                file: "\(network.folder)/out"
            )
            try await client.fetch()
        },
        check: { isRight("\($0.folder)/out") }
    )
    if !exploration.findings.isEmpty { print("\(exploration)") }
    return exploration.points
}

let arguments = CommandLine.arguments
guard arguments.count == 2, let port = UInt16(arguments[1]) else {
    print("usage: ExploreBench PORT")
    exit(64)
}
let folder = "/tmp/linkcond-explore-bench-\(getpid())"
_ = try Folder.make(folder)
let runs = try await Measured { try await plain(400, port: port, folder: folder) }
let shared = try await Measured { try await explored(upstream: "127.0.0.1:\(port)") }
let own = try await Measured { try await explored(upstream: nil) }
try Folder("/tmp").removeTree(String(folder.dropFirst("/tmp/".count)))
print("{\"plain\":\(runs.text),\"shared\":\(shared.text),\"own\":\(own.text)}")
