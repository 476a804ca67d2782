internal import CLibuv
internal import CLibrary

/// Standard input, read to its end.
package enum StandardInput {
    /// Copies everything that comes to `file` from its start on, waiting for it; answers how much.
    package static func copy(to file: File) throws(SystemError) -> UInt64 {
        let buffer = TransferBuffer(capacity: 65_536)
        var count: UInt64 = 0
        while true {
            let got = unsafe read(0, buffer.start, buffer.capacity)
            if got == 0 { return count }
            if got < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            try file.write(buffer, count: got, at: count)
            count += UInt64(got)
        }
    }
}
