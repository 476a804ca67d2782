package import Libuv
internal import ResumableUpload

/// What all transfers of one program share.
package final class ClientContext {
    package let loop: EventLoop
    /// Where a download to `-` goes.
    let standardOutput: OutputFile
    let tokens = RetryTokens()
    /// Names this start of the machine; nil where nobody knows.
    package let boot = ProcessIdentity.current?.boot

    package init(loop: EventLoop, standardOutput: OutputFile) {
        self.loop = loop
        self.standardOutput = standardOutput
    }

    /// The random numbers of one transfer.
    func draws(seed: UInt64, transfer: UInt64) -> RandomDraws {
        ClientRandom.draws(seed: seed, transfer: transfer)
    }
}
