import Basics
import ResumableClient
import Testing

/// Whether the bytes that an upload resumes with are those with which it began.
@Suite struct SourceIdentityTests {
    private let earlier = SourceIdentity(size: 9, modified: .seconds(1), digestPrefix: "ab")

    @Test func `without digests, size and time of change must be equal`() {
        let plain = SourceIdentity(size: 9, modified: .seconds(1))
        for known in [plain, earlier] {
            #expect(plain.isSame(as: known))
            #expect(!SourceIdentity(size: 9, modified: .seconds(2)).isSame(as: known))
            #expect(!SourceIdentity(size: 8, modified: .seconds(1)).isSame(as: known))
            #expect(!SourceIdentity(size: 9).isSame(as: known))
        }
    }

    @Test func `equal digests decide, whenever the file was written`() {
        let touched = SourceIdentity(size: 9, modified: .seconds(5), digestPrefix: "ab")
        #expect(touched.isSame(as: earlier))
        let other = SourceIdentity(size: 9, modified: .seconds(1), digestPrefix: "cd")
        #expect(!other.isSame(as: earlier))
        #expect(!SourceIdentity(size: 8, digestPrefix: "ab").isSame(as: earlier))
    }
}
