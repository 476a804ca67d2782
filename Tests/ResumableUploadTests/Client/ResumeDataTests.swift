import HTTPWire
import ResumableUpload
import Testing

@Suite struct ResumeDataTests {
    private static let download = ResumeData.download(
        DownloadResumption(
            address: .of("http://h/file"),
            final: .of("https://cdn/x?y=1"),
            validator: .etag("\"a\""),
            stored: 40,
            size: 100,
            contentCoding: nil,
            file: "/d/file.part",
            fields: ["X": "1", "X": "2"]
        )
    )
    /// Computed, since the leak checker does not follow a constant's boxed values.
    private static var upload: ResumeData {
        .upload(
            UploadResumption(
                target: .of("http://h/up"),
                method: "PUT",
                resource: .of("http://h/u/1"),
                dialect: .ietf(.v8),
                acknowledged: 40,
                source: SourceIdentity(size: 100, modified: -1, digestPrefix: "ab"),
                file: "/d/source",
                fields: ["X": "1"]
            )
        )
    }

    private func error(_ entries: [ResumeEntry]) -> ResumeDataError? {
        do {
            _ = try ResumeData(entries: entries)
            return nil
        } catch { return error }
    }

    @Test func `what was written is read back, for every protocol and validator`() throws {
        for dialect in UploadPlan.Dialect.resumable {
            guard case .upload(var data) = Self.upload else { return }
            data.dialect = dialect
            #expect(try ResumeData(entries: ResumeData.upload(data).entries) == .upload(data))
        }
        guard case .download(var data) = Self.download else { return }
        #expect(try ResumeData(entries: Self.download.entries) == Self.download)
        data.validator = .lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
        data.size = nil
        data.contentCoding = "gzip"
        #expect(try ResumeData(entries: ResumeData.download(data).entries) == .download(data))
    }

    @Test func `the version comes first and another one is refused`() {
        for data in [Self.download, Self.upload] {
            var entries = data.entries
            #expect(entries[0] == ResumeEntry("version", .number(1)))
            entries[0].value = .number(2)
            #expect(error(entries)?.description == "resume data: 'version' only version 1 is known")
        }
    }

    @Test func `every key is needed, once, and no other`() {
        for data in [Self.download, Self.upload] {
            for (place, entry) in data.entries.enumerated() {
                var entries = data.entries
                entries.remove(at: place)
                #expect(error(entries) == ResumeDataError(key: entry.key, problem: "is missing"))
                #expect(error(data.entries + [entry])?.key == entry.key)
            }
            #expect(error(data.entries + [ResumeEntry("new", .null)])?.problem == "is unknown")
        }
    }

    @Test func `a value of another type is refused with its key`() {
        for data in [Self.download, Self.upload] {
            for (place, entry) in data.entries.enumerated() {
                var entries = data.entries
                entries[place].value = .other
                #expect(error(entries)?.key == entry.key)
            }
        }
    }

    @Test(arguments: [
        ("stored", ResumeValue.number(101)), ("size", .number(39)),
        ("stored", .number(.max)), ("url", .text("ftp://h/")), ("url", .text("http://a@h/")),
        ("validator", .text("W/\"a\"")), ("validatorKind", .text("x")), ("kind", .text("x")),
    ])
    func `an impossible value of a download is refused`(key: String, value: ResumeValue) {
        let entries = Self.download.entries.map {
            $0.key == key ? ResumeEntry(key, value) : $0
        }
        #expect(error(entries) != nil)
    }

    @Test(arguments: [
        ("acknowledged", ResumeValue.number(101)), ("protocol", .text("ietf-4")),
        ("protocol", .text("plain")), ("modified", .text("1.5")), ("uploadURL", .text("/u/1")),
    ])
    func `an impossible value of an upload is refused`(key: String, value: ResumeValue) {
        let entries = Self.upload.entries.map { $0.key == key ? ResumeEntry(key, value) : $0 }
        #expect(error(entries)?.key == key)
    }

    @Test func `a source is the same by its digest, or by size and time`() {
        let known = SourceIdentity(size: 9, modified: 5, digestPrefix: "ab")
        #expect(SourceIdentity(size: 9, modified: 6, digestPrefix: "ab").isSame(as: known))
        #expect(!SourceIdentity(size: 9, modified: 5, digestPrefix: "cd").isSame(as: known))
        #expect(!SourceIdentity(size: 8, modified: 5, digestPrefix: "ab").isSame(as: known))
        #expect(SourceIdentity(size: 9, modified: 5).isSame(as: known))
        #expect(!SourceIdentity(size: 9, modified: 6).isSame(as: known))
        #expect(!SourceIdentity(size: 9).isSame(as: known))
    }
}
