package import Basics
internal import Journal
internal import ResumableClient
package import SystemIO

/// What is on the disk of one background transfer.
///
/// `description.json` says what was asked for, `events.jsonl` what happened, `ID.resume` how to go
/// on, `worker.json` which process works on it, `attached` how far its events were read, `waits` what
/// a worker that takes turns waits for. A worker holds a lock on `lock`, so that there is at most one.
package struct TransferFolder: Hashable, Sendable {
    package let identifier: String
    package let path: String

    package init(identifier: String, path: String) {
        self.identifier = identifier
        self.path = path
    }

    package var events: FilePlace { FilePlace(folder: path, name: "events.jsonl") }
    package var log: FilePlace { FilePlace(folder: path, name: "worker.log") }
    package var resume: ResumeStore {
        ResumeStore(FilePlace(folder: path, name: identifier + ResumeStore.suffix))
    }

    package var exists: Bool { (try? read("description.json")) != nil }

    // MARK: Description

    package func save(_ description: TransferDescription) throws(StorageError) {
        try write("description.json", .object(DescriptionText.json(description)))
    }

    package func description() throws(RecordError) -> TransferDescription {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try read("description.json")
        } catch {
            throw RecordError("'\(path)' cannot be read: \(error)")
        }
        return try DescriptionText.parse(try? JSONParser.parse(bytes[...]))
    }

    // MARK: Worker

    /// Notes that this process works on the transfer.
    package func saveWorker(_ worker: ProcessIdentity) throws(StorageError) {
        try write(
            "worker.json",
            .object(
                [
                    "pid": .number(worker.number),
                    "startTicks": .number(worker.startTicks),
                    "boot": .string(worker.boot),
                ]
            )
        )
    }

    /// The process that works on it; nil if that does not run any more, or its number is another
    /// process's now.
    package func worker() -> ProcessIdentity? {
        guard let bytes = try? read("worker.json"), let value = try? JSONParser.parse(bytes[...]),
            let reader = try? ObjectReader(value, "worker"),
            let number = try? reader.number("pid", Int.self),
            let ticks = try? reader.number("startTicks", UInt64.self),
            let boot = try? reader.text("boot")
        else {
            return nil
        }
        let worker = ProcessIdentity(number: number, startTicks: ticks, boot: boot)
        return worker.isAlive ? worker : nil
    }

    /// Takes the transfer for this process; nil if another one has it.
    ///
    /// It is given back when what is returned goes.
    package func lock() throws(StorageError) -> File? {
        try FilePlace(folder: path, name: "lock").lock()
    }

    /// How the transfer is now.
    package var state: BackgroundState {
        // First the worker: one that ends between the two looks has written its last event.
        let isAlive = worker() != nil
        return BackgroundState(EventReader(events, from: 0).next(), isWorkerAlive: isAlive)
    }

    // MARK: Turns

    /// What the worker of a transfer that takes turns waits for; nil if it does not wait.
    ///
    /// One that was killed leaves it as it was.
    var wait: PathWait? {
        get {
            let text = (try? read("waits")).map { String(decoding: $0, as: UTF8.self) }
            return text.flatMap { PathWait(rawValue: $0) }
        }
        nonmutating set {
            guard let newValue else { return FilePlace(folder: path, name: "waits").remove() }
            let bytes = Array(newValue.rawValue.utf8)
            try? Folder(path).replace("waits", with: bytes, durably: false)
        }
    }

    /// When it was asked for, as time since 1970.
    var requested: Duration? { try? Folder(path).information("description.json").modified }

    // MARK: Attaching

    /// How many bytes of the events were read by whoever was attached.
    package var attachedOffset: UInt64 {
        get {
            let text = (try? read("attached")).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return UInt64(text.prefix { $0.isNumber }) ?? 0
        }
        nonmutating set {
            try? Folder(path).replace("attached", with: Array("\(newValue)\n".utf8), durably: false)
        }
    }

    // MARK: Files

    private func read(_ name: String) throws(SystemError) -> [UInt8] {
        let file = try Folder(path).file(name, for: .reading)
        let size = try file.size()
        guard size <= UInt64(ResumeFile.sizeLimit) else { throw .fileTooLarge }
        return try file.read(at: 0, count: Int(size))
    }

    private func write(_ name: String, _ value: JSONValue) throws(StorageError) {
        do throws(SystemError) {
            try Folder(path).replace(name, with: Array((value.text + "\n").utf8))
        } catch {
            throw StorageError("cannot write '\(path)/\(name)': \(error)")
        }
    }
}
