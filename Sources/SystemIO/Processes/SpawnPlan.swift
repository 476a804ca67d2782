internal import CLibuv
internal import CLibrary

/// What `uv_spawn` is told: texts in C's form, and the descriptors that the child gets.
@safe
final class SpawnPlan {
    private let settings: ChildProcess.Settings
    private let streams: [Stream]

    /// A standard descriptor of the child.
    private enum Stream {
        case none
        case descriptor(CInt, isOurs: Bool)
    }

    init(_ settings: ChildProcess.Settings) throws(SystemError) {
        self.settings = settings
        for text in [settings.program, settings.folder ?? ""] + settings.arguments
            + (settings.environment ?? [])
        {
            try SystemError.checkPath(text)
        }
        var streams: [Stream] = []
        do throws(SystemError) {
            let wanted = [settings.input, settings.output, settings.error]
            for (number, stream) in wanted.enumerated() {
                streams.append(try Self.open(stream, as: CInt(number)))
            }
        } catch {
            Self.close(streams)
            throw error
        }
        self.streams = streams
    }

    deinit { Self.close(streams) }

    /// Starts the program; answers libuv's status.
    func spawn(
        _ loop: UnsafeMutablePointer<uv_loop_t>,
        _ process: UnsafeMutablePointer<uv_process_t>
    ) -> CInt {
        unsafe Self.lend([settings.program] + settings.arguments) { arguments in
            unsafe Self.lend(settings.environment ?? []) { environment in
                unsafe Self.lend([settings.folder ?? ""]) { folder in
                    var options = unsafe uv_process_options_t()
                    unsafe options.exit_cb = Self.exited
                    unsafe options.file = UnsafePointer(arguments[0])
                    unsafe options.args = arguments.baseAddress
                    if settings.environment != nil {
                        unsafe options.env = environment.baseAddress
                    }
                    if settings.folder != nil { unsafe options.cwd = UnsafePointer(folder[0]) }
                    if settings.isDetached {
                        unsafe options.flags = UV_PROCESS_DETACHED.rawValue
                    }
                    return unsafe start(&options, loop, process)
                }
            }
        }
    }

    private func start(
        _ options: inout uv_process_options_t,
        _ loop: UnsafeMutablePointer<uv_loop_t>,
        _ process: UnsafeMutablePointer<uv_process_t>
    ) -> CInt {
        var containers = unsafe streams.map { stream in
            var container = unsafe uv_stdio_container_t()
            switch stream {
            case .none: unsafe container.flags = UV_IGNORE
            case .descriptor(let number, _):
                unsafe container.flags = UV_INHERIT_FD
                unsafe container.data.fd = number
            }
            return unsafe container
        }
        return unsafe containers.withUnsafeMutableBufferPointer { stdio in
            unsafe options.stdio = stdio.baseAddress
            unsafe options.stdio_count = CInt(stdio.count)
            return unsafe uv_spawn(loop, process, &options)
        }
    }

    private static let exited: uv_exit_cb = { process, status, signal in
        guard let handle = unsafe Handle.owner(of: process) else { return }
        handle.exit = (status, signal)
        unsafe Handle.event(process)
    }

    private static func open(
        _ stream: ChildProcess.Stream,
        as number: CInt
    ) throws(SystemError) -> Stream {
        switch stream {
        case .none: return .none
        case .inherited: return .descriptor(number, isOurs: false)
        case .descriptor(let other): return .descriptor(other, isOurs: false)
        case .file(let path):
            try SystemError.checkPath(path)
            let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
            let opened = unsafe CLibrary.open(path, flags | O_CLOEXEC, 0o600)
            guard opened >= 0 else { throw .last }
            return .descriptor(opened, isOurs: true)
        }
    }

    private static func close(_ streams: [Stream]) {
        for case .descriptor(let number, isOurs: true) in streams { _ = CLibrary.close(number) }
    }

    /// Lends texts as C has them, with a null at the end.
    private static func lend<Value>(
        _ texts: [String],
        _ body: (UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        var copies = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe copies.withUnsafeMutableBufferPointer { unsafe body($0) }
    }
}
