internal import Arguments
internal import Basics
internal import LinkProfile
internal import Planning

/// `linkcond plan --datagrams`.
struct StreamPlan {
    let console: Console

    /// Options that mean nothing for a stream.
    private static let others = ["bytes", "runs"]

    func run(_ invocation: Invocation, _ profile: Profile) throws(Failure) {
        for option in Self.others where invocation.isGiven(option) {
            throw Failure(.usage, "--\(option) is for transfers; leave it or --datagrams out")
        }
        let model = try model(invocation, profile)
        let log = try PacketLogFile(invocation)
        let prediction = StreamPredictor.predict(model) { log?.write($0) }
        try log?.close()
        // The log has standard output to itself.
        if invocation.value("packets") == "-" { return }
        if invocation.has("json") {
            try console.write([StreamPlanJSON.value(prediction, profile: profile.name).text])
            return
        }
        let text = StreamPlanText(
            prediction: prediction,
            profile: profile.name,
            width: console.chartWidth,
            style: console.outputStyle,
            usesUnicode: console.usesUnicode
        )
        try console.write(text.lines())
    }

    private func model(
        _ invocation: Invocation,
        _ profile: Profile
    ) throws(Failure) -> StreamModel {
        var model = StreamModel(
            settings: profile.link,
            seed: try invocation.seed() ?? 1,
            rate: try rate(invocation),
            length: try length(invocation),
            time: try invocation.duration("time") ?? .seconds(10),
            direction: try invocation.direction(),
            flows: UInt32(try invocation.count("connections", in: 1...1_000) ?? 1)
        )
        guard model.time > .zero else {
            throw invocation.failure("time", "a stream takes some time, such as 10s")
        }
        guard !model.isTooLarge else {
            throw invocation.failure(
                "datagrams",
                "over \(Figures.grouped(StreamModel.countLimit)) datagrams are too many to compute"
                    + " one by one; lower the rate or the time, or give a greater --length"
            )
        }
        model.faults = try invocation.faults() + profile.faults
        return model
    }

    private func rate(_ invocation: Invocation) throws(Failure) -> BitRate {
        do throws(QuantityError) {
            return try Quantity.bitRate(invocation.value("datagrams") ?? "")
        } catch {
            throw invocation.failure("datagrams", error.description)
        }
    }

    private func length(_ invocation: Invocation) throws(Failure) -> Int {
        guard let length = try invocation.byteCount("length") else { return 1_200 }
        guard length > 0, length <= UInt64(StreamModel.maximumLength) else {
            throw invocation.failure(
                "length",
                "a datagram has 1 to \(StreamModel.maximumLength) bytes of payload"
            )
        }
        return Int(length)
    }
}
