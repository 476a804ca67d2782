import Testing

@testable import Origin

@Suite struct UploadIdentifiersTests {
    @Test func `a name has 128 bits and is never given twice`() {
        var identifiers = UploadIdentifiers(.random)
        var taken: Set<String> = []
        for _ in 0..<1_000 {
            let name = identifiers.next { taken.contains($0) }
            #expect(name.utf8.count == 32 && name.allSatisfy(\.isHexDigit))
            #expect(taken.insert(name).inserted)
        }
    }

    @Test func `seeded names are the same in every run and pass over taken ones`() {
        var one = UploadIdentifiers(.seeded(1))
        var two = UploadIdentifiers(.seeded(1))
        let first = one.next { _ in false }
        #expect(two.next { $0 == first } == one.next { _ in false })
    }
}
