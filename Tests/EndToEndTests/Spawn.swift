import CLibrary

/// The system calls that start a process and ask for its end.
@safe
enum Spawn {
    struct Failure: Error {
        var code: Int32
    }

    /// Starts `words[0]`; standard input, output and error are FILES.in, .out and .err.
    ///
    /// No signal is blocked in it: the threads that tests run on take none.
    static func start(
        _ words: [String],
        environment: [String],
        files: String
    ) throws(Failure) -> pid_t {
        let path = words[0]
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let writing = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "\(files).in", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "\(files).out", writing, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "\(files).err", writing, 0o600)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var identifier = pid_t()
        let code = unsafe withStrings(words) { words in
            unsafe withStrings(environment) { environment in
                unsafe posix_spawn(
                    &identifier,
                    path,
                    &actions,
                    &attributes,
                    words,
                    environment
                )
            }
        }
        guard code == 0 else { throw Failure(code: code) }
        return identifier
    }

    /// What became of a process; nil while it runs.
    static func status(of identifier: pid_t) -> Int32? {
        var status: Int32 = 0
        let result = unsafe waitpid(identifier, &status, WNOHANG)
        return result == 0 ? nil : status
    }

    private static func withStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe copies.indices { unsafe free(copies[index]) }
        }
        return unsafe body(copies)
    }
}
