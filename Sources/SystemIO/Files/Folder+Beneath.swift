internal import CLibuv
internal import CLibrary

// A path is looked up step by step: each step opens one name of a folder that is already open and
// follows nothing. So it stays below a folder also while others rename things.

extension Folder {
    func openStepwise(
        _ path: String,
        flags: CInt,
        permissions: UInt32
    ) throws(SystemError) -> CInt {
        var walk = try StepwiseLookup(root: self, path: path)
        return try walk.open(flags: flags, permissions: permissions)
    }
}

/// Follows a path one name at a time, never above its root.
struct StepwiseLookup {
    /// As many as the kernel follows: path_resolution(7).
    private static let maximumLinks = 40

    private let root: Folder
    /// The folders below the root on the way to where we are.
    private var way: [Folder] = []
    /// What is left of the path, the next name last.
    private var rest: [String]
    private var links = 0

    init(root: Folder, path: String) throws(SystemError) {
        self.root = root
        rest = try Self.names(path)
    }

    mutating func open(flags: CInt, permissions: UInt32) throws(SystemError) -> CInt {
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                guard way.popLast() != nil else { throw .leavesFolder }
                continue
            }
            if let target = linkTarget(name) {
                try follow(target)
                continue
            }
            if rest.isEmpty { return try openLast(name, flags, permissions) }
            try enter(name)
        }
        // The path names a folder by `.`, `..` or a link to one.
        return try openLast(".", flags & ~(O_CREAT | O_EXCL), 0)
    }

    private var here: CInt { (way.last ?? root).descriptor }

    private func openLast(
        _ name: String,
        _ flags: CInt,
        _ permissions: UInt32
    ) throws(SystemError) -> CInt {
        let found = unsafe openat(here, name, flags | O_NOFOLLOW, mode_t(permissions))
        guard found >= 0 else { throw .last }
        return found
    }

    private mutating func enter(_ name: String) throws(SystemError) {
        let flags = Self.lookupFlags | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        way.append(try Folder(taking: unsafe openat(here, name, flags)))
    }

    private mutating func follow(_ target: String) throws(SystemError) {
        links += 1
        guard links <= Self.maximumLinks else { throw SystemError(code: ELOOP) }
        rest += try Self.names(target)
    }

    private func linkTarget(_ name: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(here, name, &text, text.count)
        guard count > 0 else { return nil }
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The names of a relative path, the first one last; one that ends with `/` means a folder.
    private static func names(_ path: String) throws(SystemError) -> [String] {
        guard !path.isEmpty else { throw .noSuchFile }
        guard path.utf8.first != UInt8(ascii: "/") else { throw .leavesFolder }
        // By bytes, as the system does it: a combining mark after a slash makes another character.
        var names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        if path.utf8.last == UInt8(ascii: "/") { names.append(".") }
        return names.reversed()
    }
}
