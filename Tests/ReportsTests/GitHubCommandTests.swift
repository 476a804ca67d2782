import Reports
import Testing

/// Workflow commands as GitHub's runner reads them.
@Suite struct GitHubCommandTests {
    @Test func `what would end a property or a line is escaped`() {
        let line = GitHubCommand.annotation(.error, title: "a: 1, b%\r\n", "c: 2, d%\r\n")
        #expect(line == "::error title=a%3A 1%2C b%25%0D%0A::c: 2, d%25%0D%0A")
    }
}
