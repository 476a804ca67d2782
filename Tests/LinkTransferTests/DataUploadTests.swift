import Foundation
import HTTPTransport
import HTTPWire
import LinkTransfer
import SystemIO
import TestSupport
import Testing

/// Uploads of bytes in memory.
@Suite struct DataUploadTests {
    /// A server that keeps the bodies that it gets.
    private final class Intake: Sendable {
        private let thread: LoopThread<HTTPServer>
        let url: String
        let bodies = Locked<[[UInt8]]>([])

        init() throws {
            let place = Locked<UInt16>(0)
            let bodies = bodies
            thread = try LoopThread { loop throws(SystemError) in
                let server = try HTTPServer(loop: loop) { exchange in
                    exchange.collect(limit: 1 << 24) { body in
                        guard case .complete(let bytes, _) = body else { return }
                        bodies.withLock { $0.append(bytes) }
                        try? exchange.respond(ResponseHead(201))
                    }
                }
                let address = try server.listen(on: .loopback(port: 0))
                place.withLock { $0 = address.port ?? 0 }
                return server
            } close: {
                $0.stop()
            }
            url = "http://127.0.0.1:\(place.withLock { $0 })/data"
        }

        deinit { thread.stop() }
    }

    @Test func `Foundation's data arrive as they are`() async throws {
        let intake = try Intake()
        var upload = UploadOptions()
        upload.uploadProtocol = .plain
        let url = try #require(URL(string: intake.url))
        let outcome = try await TransferClient().upload(
            data: Data([7, 8, 9]),
            to: url,
            upload: upload
        )
        #expect(outcome.size == 3 && outcome.data.count == outcome.body.count)
        #expect(intake.bodies.withLock { $0 } == [[7, 8, 9]])
    }

    @Test(arguments: [0, 1, 300_000])
    func `bytes in memory arrive as they are`(size: Int) async throws {
        let intake = try Intake()
        let data = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 3) }
        var upload = UploadOptions()
        upload.uploadProtocol = .plain
        let outcome = try await TransferClient().upload(data: data, to: intake.url, upload: upload)
        #expect(outcome.size == UInt64(size))
        #expect(intake.bodies.withLock { $0 } == [data])
    }

    @Test func `content goes as a field of a form, from memory and from a file`() async throws {
        let intake = try Intake()
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/data"
        try Data("content".utf8).write(to: URL(filePath: path))
        var upload = UploadOptions()
        upload.uploadProtocol = .plain
        upload.form = UploadForm(fileField: "photo", fields: [.init("title", "a \"b\"")])
        let client = try TransferClient()
        let data = Array("content".utf8)
        _ = try await client.upload(data: data, to: intake.url, upload: upload)
        _ = try await client.upload(path, to: intake.url, upload: upload)
        let texts = intake.bodies.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts.count == 2)
        for text in texts {
            let boundary = try #require(text.split(separator: "\r\n").first)
            #expect(
                text == """
                    \(boundary)\r
                    Content-Disposition: form-data; name="title"\r
                    \r
                    a "b"\r
                    \(boundary)\r
                    Content-Disposition: form-data; name="photo"; filename="data"\r
                    Content-Type: application/octet-stream\r
                    \r
                    content\r
                    \(boundary)--\r

                    """
            )
        }
    }

    @Test(arguments: [UploadOptions.UploadProtocol.tus, .automatic, .plain])
    func `a form that cannot be sent is refused`(uploadProtocol: UploadOptions.UploadProtocol)
        throws
    {
        var upload = UploadOptions()
        upload.uploadProtocol = uploadProtocol
        upload.form = UploadForm(fileField: uploadProtocol == .plain ? "" : "photo")
        #expect(throws: TransferError.self) {
            _ = try TransferClient().startUpload(data: [1], to: "http://127.0.0.1/", upload: upload)
        }
    }
}
