import Glibc
import ResumableUploads

/// `Intake FOLDER`: a server with one handler, which takes whole uploads and knows nothing of
/// resumption; `UploadHandler` stands in front of it.
@main
struct Intake {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: Intake FOLDER")
            return
        }
        let storage = try FolderStorage(CommandLine.arguments[1])
        let uploads = UploadHandler(storage: storage) { upload in
            var received = Received()
            for try await piece in upload.content { received.add(piece) }
            return answer(to: upload.request, received)
        }
        try await uploads.restore()
        let maintenance = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
                await uploads.maintain()
            }
        }
        defer { maintenance.cancel() }

        let listener = try Listener()
        print("http://127.0.0.1:\(listener.port)")
        fflush(nil)
        while let connection = await listener.accept() {
            Task { await serve(connection, uploads) }
        }
    }

    /// What there was before: it answers a request with all of its content.
    static func answer(to request: ServerRequest, _ received: Received) -> ServerResponse {
        let text = "\(request.method) \(request.target): \(received.bytes) bytes, \(received.sum)\n"
        return ServerResponse(
            201,
            fields: [MessageField("Content-Type", "text/plain")],
            body: Array(text.utf8)
        )
    }

    struct Received {
        var bytes = 0
        /// Fletcher's checksum.
        var sum: UInt64 { high << 32 | low }
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        mutating func add(_ piece: [UInt8]) {
            bytes += piece.count
            for byte in piece {
                low = (low + UInt64(byte)) % 0xFFFF_FFFF
                high = (high + low) % 0xFFFF_FFFF
            }
        }
    }

    /// One request, then the end of the connection.
    static func serve(_ connection: Connection, _ uploads: UploadHandler) async {
        defer { connection.close() }
        guard let request = await connection.readHead() else { return }
        let reply = await uploads.respond(to: request) {
            try await connection.readBody()
        } interim: {
            await connection.write($0)
        }
        switch reply {
        case .response(let response, _): await connection.write(response)
        case .reset: break
        case .notAnUpload:
            var received = Received()
            while let piece = try? await connection.readBody() { received.add(piece) }
            await connection.write(answer(to: request, received))
        }
    }
}
