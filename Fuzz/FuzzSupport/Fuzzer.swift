import CLibFuzzer

/// What a target does with one input; set once, before the first input.
nonisolated(unsafe) private var target: ([UInt8]) -> Void = { _ in }

/// Hands inputs to `body` until the time is over or something traps.
///
/// The process is libFuzzer's from here on: options come from its arguments.
package func fuzz(_ body: @escaping ([UInt8]) -> Void) -> Never {
    unsafe target = body
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
        unsafe CommandLine.unsafeArgv
    let code = unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
        let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
        unsafe target(Array(input))
        return 0
    }
    fatalError("the fuzzer ended with \(code)")
}

/// Ends the process, and so reports the input, unless a promise holds.
package func require(_ holds: Bool, _ promise: String) {
    if !holds { fatalError("broken promise: \(promise)") }
}
