internal import Basics
internal import ResumableServer
internal import SystemIO

/// Entity tags of files: from their content, and remembered as long as the file looks the same.
///
/// A file of more than `digestedBytes` would take seconds to read; its tag is made of what changes
/// with the content: identity, size and time of change to the nanosecond.
final class ContentTags {
    /// Files up to this size are read to be tagged.
    static let digestedBytes: UInt64 = 64 << 20
    /// Tags that are remembered at most.
    static let maximumEntries = 4_096
    /// A file that changed less long ago may change again without its time telling.
    private static let settledAge = Duration.seconds(2)

    private let loop: EventLoop
    private var known: [FileInformation: String] = [:]
    /// In the order in which they came.
    private var order: [FileInformation] = []

    init(loop: EventLoop) { self.loop = loop }

    /// Finds the tag of an open file; `done` gets nil if it cannot be read.
    func tag(_ file: File, _ information: FileInformation, done: @escaping (String?) -> Void) {
        guard information.size <= Self.digestedBytes else {
            return done(Self.tagByLooks(information))
        }
        if let tag = known[information] { return done(tag) }
        FileDigests.compute([.sha256], of: file, count: information.size, on: loop) {
            [weak self] result in
            guard case .success(let digests) = result, let digest = digests.first else {
                return done(nil)
            }
            let tag = "s-\(HexadecimalText.encode(digest.value.prefix(16)))"
            self?.remember(tag, of: information)
            done(tag)
        }
    }

    private func remember(_ tag: String, of information: FileInformation) {
        let settled = WallClock.timeSince1970 - Self.settledAge
        guard information.modified < settled, known[information] == nil else { return }
        known[information] = tag
        order.append(information)
        if order.count > Self.maximumEntries { known[order.removeFirst()] = nil }
    }

    private static func tagByLooks(_ information: FileInformation) -> String {
        let numbers = [
            information.identity.device, information.identity.number, information.size,
            UInt64(bitPattern: information.modified.nanoseconds),
        ]
        return "f-" + numbers.map { String($0, radix: 16) }.joined(separator: "-")
    }
}
