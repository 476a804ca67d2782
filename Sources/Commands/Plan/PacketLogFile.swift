internal import Arguments
internal import LinkEngine
internal import SystemIO

/// The fate of every packet as text, one line each; equal predictions give equal bytes.
final class PacketLogFile {
    private let file: OutputFile
    private let path: String
    private var pending: [UInt8]

    private static let chunk = 1 << 16

    init(_ path: String) throws(Failure) {
        self.path = path
        pending = Array((PacketRecord.header + "\n").utf8)
        if path == "-" {
            file = OutputFile(descriptor: 1, owned: false)
            return
        }
        do throws(SystemError) {
            file = try OutputFile(creating: path)
        } catch {
            throw Failure(.cannotCreate, "cannot create packet log '\(path)': \(error)")
        }
    }

    /// The log that `--packets` asks for; nil without it.
    convenience init?(_ invocation: Invocation) throws(Failure) {
        guard let path = invocation.value("packets") else { return nil }
        try self.init(path)
    }

    /// An error is kept until `close`.
    func write(_ records: [PacketRecord]) {
        for record in records { write(record) }
    }

    private func write(_ record: PacketRecord) {
        pending.append(contentsOf: record.line.utf8)
        pending.append(0x0A)
        if pending.count >= Self.chunk { flush() }
    }

    func close() throws(Failure) {
        flush()
        guard let error = file.failure else { return }
        // Whoever reads the log from a pipe may have seen enough.
        if path == "-" && error.isClosedPipe { return }
        throw Failure(.writeError, "cannot write packet log '\(path)': \(error)")
    }

    private func flush() {
        file.offer(pending)
        file.flush(milliseconds: -1)
        pending.removeAll(keepingCapacity: true)
    }
}
