internal import Basics
internal import HTTPWire
internal import Journal
internal import ResumableClient
internal import SystemIO
internal import Transfers

/// Downloads and uploads that resume, on a thread of their own.
///
/// All transfers of one client share connections and the limit on retries to one server. When the
/// client is released, what runs is paused.
public final class TransferClient: Sendable {
    private let thread: LoopThread<LoopTransfers>

    /// Makes a client with a thread of its own.
    ///
    /// - Parameter maximumTransfers: how many transfers may move bytes at the same time, at least 1.
    ///   Of those that have to wait, the ones a user waits for start first, then the smallest by
    ///   `PathOptions.expectedBytesToSend` and `expectedBytesToReceive`.
    /// - Throws: if the system has no descriptor or thread left.
    public init(maximumTransfers: Int = .max) throws(TransferError) {
        let limit = max(1, maximumTransfers)
        do throws(SystemError) {
            thread = try LoopThread { loop throws(SystemError) in
                LoopTransfers(loop, limit: limit)
            } close: {
                $0.close()
            }
        } catch {
            throw TransferError(.failed, "cannot start the client: \(error)")
        }
    }

    deinit { thread.stop() }

    /// Begins a download to a file, which has its name only when it is whole.
    ///
    /// - Parameters:
    ///   - url: http or https.
    ///   - path: the file; it grows as `path.part`.
    ///   - options: policies.
    ///   - resumeData: of an earlier download of the same URL to the same file.
    /// - Returns: the transfer, which runs by itself.
    /// - Throws: if the URL or the resume data cannot be used.
    public func startDownload(
        from url: String,
        to path: String,
        options: TransferOptions = TransferOptions(),
        resuming resumeData: ResumeData? = nil
    ) throws(TransferError) -> RunningTransfer {
        let description = TransferDescription(.download, try Self.url(url), file: path)
        return try start(description, options, resumeData)
    }

    /// Begins an upload of a file.
    ///
    /// - Parameters:
    ///   - path: the file; it must not change meanwhile.
    ///   - url: the target.
    ///   - upload: how to upload.
    ///   - options: policies.
    ///   - resumeData: of an earlier upload of the same file to the same URL.
    /// - Returns: the transfer, which runs by itself.
    /// - Throws: if the URL, an option or the resume data cannot be used.
    public func startUpload(
        of path: String,
        to url: String,
        upload: UploadOptions = UploadOptions(),
        options: TransferOptions = TransferOptions(),
        resuming resumeData: ResumeData? = nil
    ) throws(TransferError) -> RunningTransfer {
        let choices = try upload.choices()
        let description = TransferDescription(.upload(choices), try Self.url(url), file: path)
        return try start(description, options, resumeData)
    }

    /// Begins an upload of bytes in memory.
    ///
    /// - Parameters:
    ///   - data: what to upload.
    ///   - url: the target.
    ///   - upload: how to upload.
    ///   - options: policies.
    ///   - resumeData: of an earlier upload of the same bytes to the same URL.
    /// - Returns: the transfer, which runs by itself.
    /// - Throws: if the URL, an option or the resume data cannot be used.
    public func startUpload(
        data: [UInt8],
        to url: String,
        upload: UploadOptions = UploadOptions(),
        options: TransferOptions = TransferOptions(),
        resuming resumeData: ResumeData? = nil
    ) throws(TransferError) -> RunningTransfer {
        let choices = try upload.choices()
        let description = TransferDescription(.upload(choices), try Self.url(url), file: "data")
        return try start(description, options, resumeData, content: data)
    }

    /// Downloads; cancelling the task pauses the transfer, whose error then has resume data.
    public func download(
        from url: String,
        to path: String,
        options: TransferOptions = TransferOptions(),
        resuming resumeData: ResumeData? = nil
    ) async throws(TransferError) -> TransferOutcome {
        try await startDownload(from: url, to: path, options: options, resuming: resumeData)
            .outcome()
    }

    /// Uploads; cancelling the task pauses the transfer, whose error then has resume data.
    public func upload(
        _ path: String,
        to url: String,
        upload: UploadOptions = UploadOptions(),
        options: TransferOptions = TransferOptions(),
        resuming resumeData: ResumeData? = nil
    ) async throws(TransferError) -> TransferOutcome {
        try await startUpload(
            of: path,
            to: url,
            upload: upload,
            options: options,
            resuming: resumeData
        ).outcome()
    }

    /// Uploads bytes in memory.
    ///
    /// Cancelling the task pauses the transfer, whose error then has resume data.
    public func upload(
        data: [UInt8],
        to url: String,
        upload: UploadOptions = UploadOptions(),
        options: TransferOptions = TransferOptions(),
        resuming resumeData: ResumeData? = nil
    ) async throws(TransferError) -> TransferOutcome {
        try await startUpload(
            data: data,
            to: url,
            upload: upload,
            options: options,
            resuming: resumeData
        ).outcome()
    }

    /// Attaches to a background transfer, which `linkcond upload --background` or
    /// `download --background` has started, so that an app that was ended and starts again follows it.
    ///
    /// Its `events` are those since the last time; its `progress` begins with how far it is. Pausing
    /// it, or cancelling the task of its `outcome()`, pauses the worker process. Releasing this client
    /// only ends the view: `outcome()` throws, and the transfer continues.
    ///
    /// - Parameters:
    ///   - identifier: the name of the transfer, which `--id` gave or `--background` printed.
    ///   - folder: where linkcond keeps its state: `~/.local/state/linkcond`, or `linkcond` in
    ///     `XDG_STATE_HOME`.
    /// - Returns: the transfer, as one of this client.
    /// - Throws: if there is no such transfer.
    public func attach(
        to identifier: String,
        in folder: String
    ) throws(TransferError) -> RunningTransfer {
        guard let found = TransferRegistry(root: "\(folder)/transfers").transfer(identifier) else {
            throw TransferError(.input, "there is no transfer '\(identifier)' in '\(folder)'")
        }
        let attached = RunningTransfer(thread)
        thread.run { $0.attach(found, attached) }
        return attached
    }

    /// Sets the properties of the network path; transfers wait, stop and continue accordingly.
    public func setPath(_ path: NetworkPath) {
        thread.run { $0.setPath(path) }
    }

    private func start(
        _ basis: TransferDescription,
        _ options: TransferOptions,
        _ resumeData: ResumeData?,
        content: [UInt8]? = nil
    ) throws(TransferError) -> RunningTransfer {
        var description = basis
        try options.apply(to: &description)
        var resume: ResumeFile?
        if let resumeData {
            do throws(RecordError) {
                resume = try ResumeFile(resumeData.bytes)
            } catch {
                throw TransferError(.input, "the resume data cannot be used: \(error)")
            }
        }
        let running = RunningTransfer(thread)
        let order = LoopTransfers.Order(
            description: description,
            resume: resume,
            resumeFile: options.resumeFile,
            content: content
        )
        thread.run { $0.add(order, running) }
        return running
    }

    private static func url(_ text: String) throws(TransferError) -> HTTPURL {
        do throws(HTTPURLError) {
            return try HTTPURL(text)
        } catch {
            throw TransferError(.input, "'\(text)': \(error)")
        }
    }
}
