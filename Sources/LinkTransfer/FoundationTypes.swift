// Where Foundation is there, its URLs and data can be used in place of strings and arrays.

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#elseif canImport(Foundation)
    public import Foundation
#endif

#if canImport(Foundation)
    extension TransferClient {
        /// Begins a download to a file.
        ///
        /// - Parameters:
        ///   - url: http or https.
        ///   - file: a file URL.
        ///   - options: policies.
        ///   - resumeData: of an earlier download of the same URL to the same file.
        /// - Returns: the transfer, which runs by itself.
        /// - Throws: if a URL, an option or the resume data cannot be used.
        public func startDownload(
            from url: URL,
            to file: URL,
            options: TransferOptions = TransferOptions(),
            resuming resumeData: ResumeData? = nil
        ) throws(TransferError) -> RunningTransfer {
            try startDownload(
                from: url.absoluteString,
                to: try Self.path(file),
                options: options,
                resuming: resumeData
            )
        }

        /// Begins an upload of a file.
        ///
        /// - Parameters:
        ///   - file: a file URL; the file must not change meanwhile.
        ///   - url: the target.
        ///   - upload: how to upload.
        ///   - options: policies.
        ///   - resumeData: of an earlier upload of the same file to the same URL.
        /// - Returns: the transfer, which runs by itself.
        /// - Throws: if a URL, an option or the resume data cannot be used.
        public func startUpload(
            of file: URL,
            to url: URL,
            upload: UploadOptions = UploadOptions(),
            options: TransferOptions = TransferOptions(),
            resuming resumeData: ResumeData? = nil
        ) throws(TransferError) -> RunningTransfer {
            try startUpload(
                of: try Self.path(file),
                to: url.absoluteString,
                upload: upload,
                options: options,
                resuming: resumeData
            )
        }

        /// Begins an upload of data in memory.
        ///
        /// - Parameters:
        ///   - data: what to upload.
        ///   - url: the target.
        ///   - upload: how to upload.
        ///   - options: policies.
        ///   - resumeData: of an earlier upload of the same data to the same URL.
        /// - Returns: the transfer, which runs by itself.
        /// - Throws: if the URL, an option or the resume data cannot be used.
        public func startUpload(
            data: Data,
            to url: URL,
            upload: UploadOptions = UploadOptions(),
            options: TransferOptions = TransferOptions(),
            resuming resumeData: ResumeData? = nil
        ) throws(TransferError) -> RunningTransfer {
            try startUpload(
                data: Array(data),
                to: url.absoluteString,
                upload: upload,
                options: options,
                resuming: resumeData
            )
        }

        /// Downloads; cancelling the task pauses the transfer, whose error then has resume data.
        public func download(
            from url: URL,
            to file: URL,
            options: TransferOptions = TransferOptions(),
            resuming resumeData: ResumeData? = nil
        ) async throws(TransferError) -> TransferOutcome {
            try await startDownload(from: url, to: file, options: options, resuming: resumeData)
                .outcome()
        }

        /// Uploads a file; cancelling the task pauses the transfer, whose error then has resume data.
        public func upload(
            _ file: URL,
            to url: URL,
            upload: UploadOptions = UploadOptions(),
            options: TransferOptions = TransferOptions(),
            resuming resumeData: ResumeData? = nil
        ) async throws(TransferError) -> TransferOutcome {
            try await startUpload(
                of: file,
                to: url,
                upload: upload,
                options: options,
                resuming: resumeData
            ).outcome()
        }

        /// Uploads data in memory; cancelling the task pauses the transfer, whose error then has
        /// resume data.
        public func upload(
            data: Data,
            to url: URL,
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

        private static func path(_ file: URL) throws(TransferError) -> String {
            guard file.isFileURL else {
                throw TransferError(.input, "'\(file.absoluteString)' is not the URL of a file")
            }
            return file.path
        }
    }

    extension ResumeData {
        /// Resume data from stored data, which are checked when a transfer starts.
        public init(_ data: Data) { self.init(bytes: Array(data)) }

        /// The resume data, to be stored.
        public var data: Data { Data(bytes) }
    }

    extension TransferOutcome {
        /// The beginning of the body of an upload's final response.
        public var data: Data { Data(body) }
    }
#endif
