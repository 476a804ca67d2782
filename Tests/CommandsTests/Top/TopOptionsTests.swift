import SystemIO
import Testing

@testable import Arguments
@testable import Commands

@Suite struct TopOptionsTests {
    private func options(
        _ words: [String],
        environment: [String: String] = [:],
        files: [String: String] = [:]
    ) throws -> TopOptions {
        let invocation = try ArgumentParser.parse(["top"] + words) { _ in nil }
        return try TopOptions(invocation, environment: { environment[$0] }) {
            path throws(SystemError) in
            guard let text = files[path] else { throw .noSuchFile }
            return Array(text.utf8)
        }
    }

    private func failure(
        _ words: [String],
        environment: [String: String] = [:],
        files: [String: String] = [:]
    ) -> Failure? {
        #expect(throws: Failure.self) {
            try options(words, environment: environment, files: files)
        }
    }

    private let ready = #"{"control":"http://127.0.0.1:9","token":"its-own","pid":1}"#

    @Test func `an address takes its token from the environment`() throws {
        let environment = ["LINKCOND_CONTROL_TOKEN": "secret"]
        let options = try options(["127.0.0.1:9000"], environment: environment)
        #expect(options.address.description == "127.0.0.1:9000" && options.token == "secret")
        let socket = try self.options(["unix:/s"], environment: environment)
        #expect(socket.token == nil)
    }

    @Test func `the address is taken exactly as --ui prints it, with its token`() throws {
        let page = "http://127.0.0.1:9000/#t=abc-123"
        let options = try options([page], environment: ["LINKCOND_CONTROL_TOKEN": "other"])
        #expect(options.address.description == "127.0.0.1:9000" && options.token == "abc-123")
        #expect(failure(["http://127.0.0.1:9000/#proxy=api"])?.code == .usage)
        #expect(failure(["http://127.0.0.1:9000/#t="])?.code == .usage)
    }

    @Test func `without an operand the environment says where`() throws {
        let options = try options([], environment: ["LINKCOND_CONTROL": "127.0.0.1:9000"])
        #expect(options.address.description == "127.0.0.1:9000")
        #expect(failure([])?.code == .usage)
        #expect(failure([], environment: ["LINKCOND_CONTROL": ""])?.code == .usage)
        let wrong = failure([], environment: ["LINKCOND_CONTROL": "https://127.0.0.1:9"])
        #expect(wrong?.message.hasPrefix("LINKCOND_CONTROL 'https://") == true)
    }

    @Test func `a ready-file has address and token`() throws {
        let options = try options(
            ["ready.json"],
            environment: ["LINKCOND_CONTROL_TOKEN": "of another"],
            files: ["ready.json": ready]
        )
        #expect(options.address.description == "127.0.0.1:9" && options.token == "its-own")
    }

    @Test func `a file that does not help says why`() {
        #expect(failure(["ready.json"])?.code == .inputMissing)
        let other = failure(["ready.json"], files: ["ready.json": "[]"])
        #expect(other?.code == .configuration)
        let none = failure(["r.json"], files: ["r.json": #"{"control":null,"pid":1}"#])
        #expect(none?.code == .usage && none?.message.contains("--control 127.0.0.1:0") == true)
    }
}
