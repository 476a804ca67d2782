internal import Arguments
internal import Basics
internal import HTTPWire
internal import ResumableClient
internal import SystemIO
internal import Transfers
internal import Trials

// The jobs of one command line.

extension TransferOptions {
    /// The downloads that were asked for.
    static func downloads(_ invocation: Invocation) throws(Failure) -> TransferOptions {
        var options = try TransferOptions(invocation)
        options.parallel = try invocation.count("jobs", in: 1...64) ?? 1
        if let job = try options.resumedJob(isUpload: false) {
            guard invocation.operands.isEmpty, !invocation.has("output") else {
                throw Failure(.usage, "--resume FILE knows URL and output; leave them out")
            }
            options.jobs = [job]
            return options
        }
        guard !invocation.operands.isEmpty else {
            throw Failure(.usage, "URL is missing: \(invocation.name) URL... or --resume FILE")
        }
        for text in invocation.operands {
            options.jobs.append(try options.download(try address(text), invocation))
        }
        // One for all was applied to each.
        let sizes = try invocation.byteCounts("expect-receive")
        for (index, size) in sizes.enumerated() where sizes.count == options.jobs.count {
            options.jobs[index].description.path.expectedBytesToReceive = size
        }
        try options.checkNames()
        return options
    }

    private func download(
        _ address: HTTPURL,
        _ invocation: Invocation
    ) throws(Failure) -> Job {
        let file = try Self.outputName(address, invocation)
        var description = TransferDescription(.download, address, file: file)
        basis(&description)
        try apply(to: &description)
        if file == "-" { return Job(description: description) }
        let job = try job(description, keepingBeside: file)
        let isNamed = invocation.value("output") == file
        guard isNamed || job.resume != nil || !FileSystem.isFile(file) else {
            throw Failure(
                .cannotCreate,
                "'\(file)' is there already; --output \(ShellText.line([file])) replaces it, another"
                    + " name keeps it"
            )
        }
        return job
    }

    private static func outputName(
        _ address: HTTPURL,
        _ invocation: Invocation
    ) throws(Failure) -> String {
        let output = invocation.value("output")
        if let output, !FileSystem.isDirectory(output) {
            if output == "-" { return output }
            guard invocation.operands.count == 1 else {
                throw Failure(
                    .usage,
                    "--output '\(output)' is not a folder, and there are several URLs"
                )
            }
            guard FilePlace(output) != nil else {
                throw Failure(.usage, "--output '\(output)' is not a name for a file")
            }
            return output
        }
        let path = address.target.prefix { $0 != "?" }
        let last = path.split(separator: "/").last.map(String.init) ?? "index.html"
        guard let name = decoded(last), FilePlace(name)?.folder == "." else {
            throw Failure(.usage, "\(address.text) gives no name for a file; use --output FILE")
        }
        guard let output else { return name }
        return output.hasSuffix("/") ? output + name : "\(output)/\(name)"
    }

    /// Without percent encoding; nil if that gives no text.
    private static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = HexadecimalText.decode(String(decoding: rest.prefix(2), as: UTF8.self))
            {
                bytes += value
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard !bytes.contains(where: { $0 < 0x20 }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private func checkNames() throws(Failure) {
        var seen: Set<String> = []
        for job in jobs where !seen.insert(job.description.file).inserted {
            throw Failure(
                .usage,
                job.description.file == "-"
                    ? "only one URL can go to standard output"
                    : "two URLs would be written to '\(job.description.file)'"
            )
        }
    }

    /// The upload that was asked for.
    static func upload(_ invocation: Invocation) throws(Failure) -> TransferOptions {
        var options = try TransferOptions(invocation)
        if let job = try options.resumedJob(isUpload: true) {
            guard invocation.operands.isEmpty else {
                throw Failure(.usage, "--resume FILE knows file and URL; leave them out")
            }
            options.jobs = [job]
            return options
        }
        guard invocation.operands.count == 2 else {
            throw Failure(.usage, "usage: \(invocation.name) FILE URL, or --resume FILE")
        }
        let file = invocation.operands[0]
        guard file == "-" || FileSystem.isFile(file) else {
            throw Failure(.inputMissing, missing(file, invocation.operands[1]))
        }
        let settings = try uploadSettings(invocation)
        var description = TransferDescription(
            .upload(settings),
            try address(invocation.operands[1]),
            file: file
        )
        options.basis(&description)
        try options.apply(to: &description)
        let kept = file == "-" ? nil : resumeName(of: file)
        options.jobs = [try options.job(description, keepingBeside: kept)]
        return options
    }

    /// What the name of an upload's resume data begins with: the file's own, beside it; but of a run its
    /// own folder, since runs at once send one file.
    ///
    /// - Parameters:
    ///   - file: that is sent.
    ///   - runFolder: what `linkcond run` and `explore` tell their clients; nil elsewhere.
    /// - Returns: a path without the suffix of resume data.
    static func resumeName(
        of file: String,
        runFolder: String? = CurrentProcess.environment(TrialPlace.folderVariable)
    ) -> String {
        guard let runFolder, FileSystem.isDirectory(runFolder) else { return file }
        let path = FileNames.absolute(file)
        let mark = HexadecimalText.encode(Array(SHA256.digest(Array(path.utf8)).prefix(4)))
        return "\(runFolder)/\(path.split(separator: "/").last ?? "")-\(mark)"
    }

    /// Why a file cannot be sent, and what may have been meant.
    private static func missing(_ file: String, _ address: String) -> String {
        if FileSystem.isDirectory(file) {
            return "'\(file)' is a folder; upload sends one file, such as one made by tar"
        }
        if (try? HTTPURL(file)) != nil, FileSystem.isFile(address) {
            return "the file comes first: linkcond upload \(ShellText.line([address, file]))"
        }
        return "there is no file '\(file)'"
    }

    private static func uploadSettings(_ invocation: Invocation) throws(Failure) -> UploadChoices {
        var settings = UploadChoices()
        settings.choice = try choice(invocation)
        if invocation.has("careful") { settings.creation = .careful }
        if settings.choice == .known(.tus), settings.creation == .optimistic {
            // The URL of an upload that is created with its content is known only at the end.
            settings.creation = .careful
        }
        settings.appendSize = try invocation.byteCount("append-size")
        if settings.appendSize == 0 {
            throw Failure(.usage, "--append-size has to be more than 0B")
        }
        settings.digestsAppends = invocation.has("digest-appends")
        settings.wantsResponse = invocation.has("want-response")
        if let method = invocation.value("method") {
            guard method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }), !method.isEmpty,
                !["GET", "HEAD", "DELETE", "OPTIONS", "CONNECT", "TRACE"].contains(method)
            else {
                throw Failure(.usage, "--method '\(method)' does not upload; use POST or PUT")
            }
            settings.method = method
        }
        settings.metadata = try pairs(invocation, "metadata") { key in
            !key.isEmpty && !key.contains(" ") && !key.contains(",")
        }
        settings.form = try form(invocation, settings)
        return settings
    }

    private static func pairs(
        _ invocation: Invocation,
        _ option: String,
        isKey: (Substring) -> Bool
    ) throws(Failure) -> [HeaderFields.Field] {
        var pairs: [HeaderFields.Field] = []
        for text in invocation.values(option) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = parts.first, isKey(key) else {
                throw Failure(.usage, "--\(option) '\(text)' is not of the form KEY=VALUE")
            }
            pairs.append(.init(String(key), parts.count > 1 ? String(parts[1]) : ""))
        }
        return pairs
    }

    private static func form(
        _ invocation: Invocation,
        _ settings: UploadChoices
    ) throws(Failure) -> FormChoice? {
        guard let name = invocation.value("form") else {
            guard invocation.values("form-field").isEmpty else {
                throw Failure(.usage, "--form-field goes with --form NAME, the field of the file")
            }
            return nil
        }
        guard settings.choice != .known(.tus), settings.choice != .asked else {
            throw Failure(
                .usage,
                "--form: tus has no place for a form; use --protocol ietf or plain, or --metadata"
                    + " for what a tus server should know"
            )
        }
        guard !invocation.has("sha256") else {
            throw Failure(.usage, "--sha256 is of what is sent, which with --form is not the file")
        }
        var form = FormChoice(name)
        form.fields = try pairs(invocation, "form-field") { !$0.isEmpty }
        return form
    }

    private static func choice(
        _ invocation: Invocation
    ) throws(Failure) -> UploadChoices.ProtocolChoice {
        var version = InteropVersion.v6
        if let text = invocation.value("interop") {
            guard let number = Int(text), let known = InteropVersion(rawValue: number) else {
                throw Failure(.usage, "--interop '\(text)' is not one of 3, 5, 6, 8")
            }
            version = known
        }
        switch invocation.value("protocol") ?? "ietf" {
        case "ietf": return .known(.ietf(version))
        case "tus": return .known(.tus)
        case "plain": return .known(.plain)
        case "auto": return .asked
        case let other:
            throw Failure(.usage, "--protocol '\(other)' is not one of ietf, tus, plain, auto")
        }
    }
}
