/// What an endpoint tells its peer of itself (RFC 9113 §6.5.2).
package enum Setting: String, Hashable, Sendable, CaseIterable {
    case headerTable = "header-table"
    case maximumStreams = "max-streams"
    case initialWindow = "initial-window"
    case frameSize = "frame-size"

    package var identifier: UInt8 {
        switch self {
        case .headerTable: 1
        case .maximumStreams: 3
        case .initialWindow: 4
        case .frameSize: 5
        }
    }

    /// What may be said of it.
    ///
    /// A table is 4,096 bytes at first, and no larger one is asked for: the server would not know of it.
    package var range: ClosedRange<UInt32> {
        switch self {
        case .headerTable: 0...4_096
        case .maximumStreams: 0...UInt32.max
        case .initialWindow: 0...0x7FFF_FFFF
        case .frameSize: 16_384...16_777_215
        }
    }
}

extension FrameWriter {
    /// SETTINGS; of the connection, as they have to be.
    package static func settings(
        _ values: [(setting: Setting, value: UInt32)],
        stream: UInt32 = 0
    ) -> [UInt8] {
        var payload: [UInt8] = []
        for (setting, value) in values { payload += [0, setting.identifier] + value.networkBytes }
        return frame(.settings, [], stream: stream, payload)
    }
}
