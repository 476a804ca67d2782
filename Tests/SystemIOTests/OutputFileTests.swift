import SystemIO
import Testing

@Suite struct OutputFileTests {
    @Test func `an error stays, and nothing more is written`() throws {
        let file = try OutputFile(creating: "/dev/full")
        #expect(!file.offer([1]))
        #expect(file.failure != nil)
        #expect(!file.offer([2]))
        #expect(!file.hasWaitingBytes)
    }

    @Test func `what was offered in pieces is written in order`() throws {
        let path = "\(FileSystem.currentDirectory)/.build/output-\(CurrentProcess.identifier)"
        let file = try OutputFile(creating: path)
        var expected: [UInt8] = []
        for piece in 0..<300 {
            let bytes = [UInt8](repeating: UInt8(piece % 251), count: 1_000)
            expected += bytes
            #expect(file.offer(bytes))
        }
        #expect(try FileSystem.read(path, limit: 1_000_000) == expected)
        FileSystem.remove(path)
    }

    @Test func `a descriptor that is not open is refused`() {
        #expect(throws: SystemError.self) { try OutputFile(inherited: 9_999) }
    }

    @Test func `a digest is the published one`() {
        // FIPS 180-4, example of one block.
        #expect(
            SHA256.hexadecimal(Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }
}
