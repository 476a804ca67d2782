import Basics
import Proxy
import SystemIO
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

@Suite struct ForwardOptionsTests {
    private func credentials(_ content: String) throws -> ForwardSettings.Credentials? {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/login"
        try FileSystem.replace(path, with: Array(content.utf8))
        let arguments = ["proxy", "--forward", "--login", path]
        let invocation = try ArgumentParser.parse(arguments) { _ in nil }
        return try ForwardOptions.settings(invocation)?.credentials
    }

    @Test(arguments: [
        ("user:secret", "user", "secret"), ("user:secret\nmore:lines\n", "user", "secret"),
        ("user:a:b:", "user", "a:b:"), ("user:sec ret\r\n", "user", "sec ret"),
    ])
    func `a login is the first line, split at its first colon`(
        content: String,
        user: String,
        password: String
    ) throws {
        let credentials = ForwardSettings.Credentials(user: user, password: password)
        #expect(try self.credentials(content) == credentials)
    }

    @Test(arguments: [
        "", "user", "user:", ":secret", "\nuser:secret",
        "user:" + String(repeating: "x", count: 256),
    ])
    func `a login without a user and a password is refused`(content: String) {
        #expect(throws: Failure.self) { try credentials(content) }
    }
}
