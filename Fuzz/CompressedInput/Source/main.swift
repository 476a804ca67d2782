// Invariant: any bytes are refused at the frame where the mistake is, or read the same in pieces of any
// size, of which none is long; and whatever they are, they come back from a frame of their own.

import FuzzSupport
import SystemIO

fuzz { bytes in
    let (whole, small) = (read(bytes, pieceSize: .max), read(bytes, pieceSize: 1))
    require(whole.failure == small.failure, "the same mistake is found byte by byte")
    if whole.failure == nil {
        require(whole.content == small.content, "pieces change nothing")
        require(whole.unfinished == small.unfinished, "the same end is missing")
    }
    require(whole.unfinished <= UInt64(bytes.count), "no more is missing than was given")
    if let failure = whole.failure {
        require(failure.frameOffset <= UInt64(bytes.count), "a mistake has a place")
        require(!failure.words.utf8.contains { $0 < 0x20 }, "a message is one plain line")
    }
    let frame = ZstandardCompressor(level: 3, windowBits: 18).compress(bytes, reach: .frame)
    require(read(frame, pieceSize: .max).content == bytes, "what was packed comes back")
}

private struct Reading {
    var content: [UInt8] = []
    var unfinished: UInt64 = 0
    var failure: ZstandardError?
}

/// The first megabyte of the content: a few bytes may stand for much.
private func read(_ bytes: [UInt8], pieceSize: Int) -> Reading {
    let limit = 1 << 20
    var reading = Reading()
    var input = CompressibleInput()
    func add(_ piece: ArraySlice<UInt8>) -> Bool {
        require(piece.count <= max(1 << 18, bytes.count), "a piece is small")
        reading.content += piece.prefix(limit - reading.content.count)
        return reading.content.count < limit
    }
    do throws(ZstandardError) {
        var rest = bytes[...]
        while !rest.isEmpty, try input.take(rest.prefix(pieceSize), add) {
            rest = rest.dropFirst(pieceSize)
        }
        input.finish(add)
    } catch {
        reading.failure = error
    }
    if reading.content.count < limit { reading.unfinished = input.unfinishedBytes }
    return reading
}
