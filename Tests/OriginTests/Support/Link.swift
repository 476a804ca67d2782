import CLibrary

/// Symbolic links for tests.
@safe
enum Link {
    struct Failure: Error { var code: Int32 }

    static func make(_ path: String, to target: String) throws(Failure) {
        guard unsafe symlink(target, path) == 0 else { throw Failure(code: errno) }
    }
}
