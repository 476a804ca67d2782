import Testing

@testable import Commands

/// How long a command's words say that it may take.
@Suite struct OwnLimitTests {
    @Test(arguments: [
        ("curl -o {out} {url}/bytes/1500", 20_000), ("curl -m 30 {url}/a", 35_000),
        ("curl -m30 {url}/a", 35_000), ("get --timeout=45 {url}", 51_500),
        ("timeout 50s get {url}", 57_000), ("get --retries 5 {url}", 20_000),
        // Nobody waits for that.
        ("wget -T 900 {url}", 20_000),
    ])
    func `a number of seconds makes it longer`(command: String, milliseconds: UInt64) {
        let words = command.split(separator: " ").map(String.init)
        #expect(OwnLimit.deadlineMilliseconds(words) == milliseconds)
        #expect(OwnLimit.deadlineMilliseconds(["sh", "-c", command]) == milliseconds)
    }

    @Test(arguments: [
        ("curl -sS -o {out} {url}/x", true), ("/usr/bin/curl --retry 3 {url}/x", true),
        ("curl -sSm 5 {url}/x", false), ("curl --max-time=5 {url}/x", false),
        ("curl -Y 1 {url}/x", false), ("curl -K limits {url}/x", false),
        ("aria2c -q {url}/x", false), ("get-curl {url}/x", false),
    ])
    func `only curl without a limit is known to poll forever`(command: String, isSo: Bool) {
        let words = command.split(separator: " ").map(String.init)
        #expect(OwnLimit.pollsForever(words) == isSo)
        #expect(OwnLimit.pollsForever(["sh", "-c", command]) == isSo)
    }
}
