internal import Arguments
internal import Basics
internal import LinkProfile
internal import Planning
internal import SystemIO

/// `linkcond plan`.
struct PlanCommand {
    let console: Console
    let catalog: ProfileCatalog

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let profile = try invocation.profile(from: catalog)
        if invocation.has("datagrams") {
            guard !invocation.has("http") else {
                throw Failure(.usage, "--http goes with a transfer, not with --datagrams")
            }
            try StreamPlan(console: console).run(invocation, profile)
            return .success
        }
        for option in ["length", "time"] where invocation.isGiven(option) {
            throw Failure(.usage, "--\(option) goes with --datagrams, a stream; add its rate")
        }
        let model = try model(invocation, profile)
        let runs = try invocation.count("runs", in: 1...100_000)
        if let runs {
            guard !invocation.has("packets") else {
                throw Failure(.usage, "--packets is for one run; leave --runs out")
            }
            try printStatistics(model, profile, runs: runs, invocation)
            return .success
        }
        try printOne(model, profile, invocation)
        return .success
    }

    private func model(
        _ invocation: Invocation,
        _ profile: Profile
    ) throws(Failure) -> TransferModel {
        var model = TransferModel(
            settings: profile.link,
            seed: try invocation.seed() ?? 1,
            bytes: try invocation.byteCount("bytes") ?? 1_000_000,
            direction: try invocation.direction(),
            connections: UInt32(try invocation.count("connections", in: 1...1_000) ?? 1)
        )
        guard !model.isTooLarge else { throw tooLarge(model, invocation) }
        model.faults = try invocation.faults() + profile.faults
        model.budget = profile.budget
        if invocation.has("http") { model.http = .usual }
        // All connections open at once: the path comes up for them together.
        model.lookupDelay = profile.nameLookupDelay + (profile.path.onDemand ?? .zero)
        return model
    }

    private func tooLarge(_ model: TransferModel, _ invocation: Invocation) -> Failure {
        let each = model.connections == 1 ? "" : " on each of \(model.connections) connections"
        return invocation.failure(
            "bytes",
            "\(Figures.bytes(model.bytes))\(each) is too much to compute packet by packet; give at"
                + " most \(Figures.bytes(TransferModel.byteLimit)), all connections together"
        )
    }

    private func printStatistics(
        _ model: TransferModel,
        _ profile: Profile,
        runs: Int,
        _ invocation: Invocation
    ) throws(Failure) {
        var statistics = RunStatistics()
        for run in 0..<UInt64(runs) {
            var one = model
            one.seed = model.seed &+ run
            statistics.add(Predictor.predict(one))
        }
        if invocation.has("json") {
            try console.write([statistics.json(profile: profile.name, model: model).text])
            return
        }
        try console.write(
            statistics.lines(
                profile: profile.name,
                model: model,
                width: console.chartWidth,
                style: console.outputStyle,
                usesUnicode: console.usesUnicode
            )
        )
    }

    private func printOne(
        _ model: TransferModel,
        _ profile: Profile,
        _ invocation: Invocation
    ) throws(Failure) {
        let log = try PacketLogFile(invocation)
        let prediction = Predictor.predict(model) { log?.write($0) }
        try log?.close()
        // The log has standard output to itself.
        if invocation.value("packets") == "-" { return }
        if invocation.has("json") {
            try console.write([PlanJSON.value(prediction, profile: profile.name).text])
            return
        }
        let text = PlanText(
            prediction: prediction,
            profile: profile.name,
            width: console.chartWidth,
            style: console.outputStyle,
            usesUnicode: console.usesUnicode
        )
        try console.write(text.lines())
    }
}

extension Invocation {
    /// `--direction`; down without it.
    func direction() throws(Failure) -> Direction {
        switch value("direction") {
        case nil, "down": return .down
        case "up": return .up
        case .some(let other):
            throw failure("direction", "'\(other)'; write down or up")
        }
    }
}
