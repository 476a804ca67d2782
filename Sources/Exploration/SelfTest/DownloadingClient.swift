internal import HTTPWire
internal import SystemIO
internal import Trials

/// Downloads an object into `out`, and goes on where it was after a failure.
final class DownloadingClient: SmallClient {
    private let target: String
    private var content: [UInt8] = []
    /// Strong, of the version that `content` belongs to (RFC 9110 §8.8.3).
    private var tag: String?
    private var length: Int?
    /// Whether `content` is what an earlier start has left; nil before anything was looked for.
    private var isLeftOver: Bool?

    init(
        _ habits: ClientHabits,
        of target: String,
        loop: EventLoop,
        seed: UInt64
    ) throws(SystemError) {
        self.target = target
        try super.init(habits, loop: loop, seed: seed)
    }

    override func begin() {
        if !habits.forgetsEarlierStarts, isLeftOver == nil {
            content = place.flatMap(Self.left) ?? []
            isLeftOver = !content.isEmpty
        }
        var fields: HeaderFields = [:]
        let offset = resumable
        if offset == 0 { content = [] }
        if offset > 0 {
            fields["Range"] = "bytes=\(offset)-"
            if habits.namesItsVersion { fields["If-Range"] = tag }
        }
        send("GET", target, fields) { [weak self] in self?.take($0, askedFrom: offset) }
        guard !habits.dropsLateContent else { return }
        latest?.onLateContent = { [weak self] in self?.latest?.add($0) }
    }

    /// Where the next request begins; without a strong validator nothing can be continued.
    private var resumable: Int {
        if isLeftOver == true { return content.count }
        return habits.resumes && tag != nil ? content.count : 0
    }

    private func take(_ ending: SmallExchange.Ending, askedFrom offset: Int) {
        switch ending {
        case .broken(let head?, let bytes) where !habits.noticesCuts:
            take(.answered(head, bytes), askedFrom: offset)
        case .broken(let head, let bytes), .late(let head, let bytes):
            if let head, head.status == 200 || head.status == 206 {
                guard store(head, bytes, offset) else { return startAnew() }
            }
            leavePart()
            again { [weak self] in self?.begin() }
        case .unheard: fail()
        case .answered(let head, let bytes):
            switch head.status {
            case 200, 206:
                guard store(head, bytes, offset) else { return startAnew() }
                guard length.map({ content.count >= $0 }) ?? true else {
                    return again { [weak self] in self?.begin() }
                }
                save()
            case 416: startAnew()
            case let status where Self.isPassing(status):
                again(after: head) { [weak self] in self?.begin() }
            case 400..<500 where !habits.minds4xx:
                content = bytes
                save()
            default: fail()
            }
        }
    }

    private func startAnew() {
        content = []
        tag = nil
        isLeftOver = false
        again { [weak self] in self?.begin() }
    }

    /// Adds what came; false if it does not belong to what is there.
    private func store(_ head: ResponseHead, _ bytes: [UInt8], _ offset: Int) -> Bool {
        if head.status == 200 {
            let before = content
            if habits.startsAnewWithWhole || offset == 0 {
                content = []
                length = (try? head.fields.contentLength()) ?? nil
            }
            tag = Self.strongTag(head)
            isLeftOver = false
            content += bytes
            if !habits.cutsOffTails { content += before.dropFirst(content.count) }
            return true
        }
        guard offset > 0 else { return false }
        if habits.checksContentRange {
            guard let text = head.fields["Content-Range"],
                case .part(let range, let total)? = ContentRange(text),
                range.lowerBound == offset,
                total == nil || total == length || isLeftOver == true
            else {
                return false
            }
            if isLeftOver == true { length = total.map { Int($0) } }
        }
        if isLeftOver == true {
            tag = Self.strongTag(head)
            isLeftOver = false
        }
        content += bytes
        return true
    }

    private static func strongTag(_ head: ResponseHead) -> String? {
        guard let text = head.fields["ETag"], let tag = EntityTag(parsing: text), !tag.isWeak else {
            return nil
        }
        return text
    }

    private func save() { write() ? succeed() : fail() }

    /// Leaves what came for the next start.
    private func leavePart() {
        if !habits.forgetsEarlierStarts, !content.isEmpty { _ = write() }
    }

    /// Whether the content is in its file now.
    private func write() -> Bool { Self.write(content, at: place) }

    /// Makes this the content of `out`; false if that cannot be.
    static func write(_ content: [UInt8], at place: TrialPlace?) -> Bool {
        guard let place else { return false }
        do throws(SystemError) {
            let file = try Folder(place.folder).file("out", for: .writing, creation: .ifMissing)
            try file.truncate(to: 0)
            try file.write(content, at: 0)
            return true
        } catch {
            return false
        }
    }

    /// What an earlier start has left.
    private static func left(_ place: TrialPlace) -> [UInt8]? {
        guard let file = try? Folder(place.folder).file("out", for: .reading)
        else { return nil }
        return try? file.read(at: 0, count: Int(SelfTestCase.size))
    }
}
