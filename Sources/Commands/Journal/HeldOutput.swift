internal import Arguments
internal import SystemIO

/// What is to be written once it is known to be right: a little in memory, the rest in a file.
struct HeldOutput {
    /// Bytes in memory at most, and one piece more.
    private static let memoryLimit = 1 << 22
    private static let pieceSize = 1 << 20

    private let folder: String
    private var made: File?
    /// Bytes in the file.
    private var filed: UInt64 = 0
    private var rest: [UInt8] = []
    /// Whether there was no room for it, so that it has to be made again.
    private(set) var isLost = false

    /// - Parameter folder: for the file, which has no name in it.
    init(in folder: String) { self.folder = folder }

    var bytesInMemory: Int { rest.count }

    mutating func add(_ bytes: [UInt8]) {
        guard !isLost else { return }
        rest.append(contentsOf: bytes)
        guard rest.count > Self.memoryLimit else { return }
        do throws(SystemError) {
            let file = try file()
            try file.write(rest, at: filed)
            filed += UInt64(rest.count)
            rest.removeAll(keepingCapacity: true)
        } catch {
            isLost = true
            removeAll()
        }
    }

    private mutating func file() throws(SystemError) -> File {
        if let made { return made }
        let file = try Folder(folder).unnamedFile()
        made = file
        return file
    }

    /// Begins anew.
    mutating func removeAll() {
        made = nil
        filed = 0
        rest = []
    }

    /// Gives what was added, piece by piece.
    func give(_ take: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var place: UInt64 = 0
        while let made, place < filed {
            let piece: [UInt8]
            do throws(SystemError) {
                piece = try made.read(
                    at: place,
                    count: Int(min(UInt64(Self.pieceSize), filed - place))
                )
            } catch {
                throw Failure(.inputMissing, "cannot read in '\(folder)': \(error)")
            }
            try take(piece)
            place += UInt64(Self.pieceSize)
        }
        try take(rest)
    }
}
