/// What the beginning of an executable file says about how its program comes to its libraries.
enum ProgramImage: Hashable {
    /// It names a dynamic loader, which also loads what is preloaded (ld.so(8)).
    case dynamic
    case fixed
    /// From Go's compiler, which leaves a note.
    case go
    case script(interpreter: String)
    case other

    init(_ head: [UInt8]) {
        if head.starts(with: Array("#!".utf8)) {
            self = .script(interpreter: Self.interpreter(head))
        } else if head.starts(with: [0x7F] + Array("ELF".utf8)), head.count >= 64, head[4] == 2 {
            self = Self.image(head)
        } else {
            self = .other
        }
    }

    /// The program that the first line names, behind `/usr/bin/env` if that is what it names.
    private static func interpreter(_ head: [UInt8]) -> String {
        let line = String(decoding: head.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self)
        let words = line.split { $0 == " " || $0 == "\t" }
        let isFound = words.first.map { $0.hasSuffix("/env") } ?? false
        return String(
            (isFound ? words.dropFirst().first { !$0.hasPrefix("-") } : words.first) ?? ""
        )
    }

    /// Of a file with 64-bit program headers (elf(5)).
    private static func image(_ head: [UInt8]) -> ProgramImage {
        let isLittle = head[5] == 1
        func number(_ offset: Int, _ size: Int) -> Int {
            guard offset >= 0, offset + size <= head.count else { return 0 }
            let bytes = head[offset..<offset + size]
            let ordered = isLittle ? bytes.reversed() : Array(bytes)
            return Int(truncatingIfNeeded: ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        let (table, size, count) = (number(32, 8), number(54, 2), number(56, 2))
        var hasLoader = false
        for index in 0..<min(count, 64) {
            let entry = table + index * size
            switch number(entry, 4) {
            case 3: hasLoader = true
            case 4 where isGo(head, note: number(entry + 8, 8)): return .go
            default: break
            }
        }
        return hasLoader ? .dynamic : .fixed
    }

    /// Whether a note at this offset is named `Go`.
    private static func isGo(_ head: [UInt8], note offset: Int) -> Bool {
        guard offset >= 0, offset <= head.count - 16 else { return false }
        return Array(head[offset + 12..<offset + 15]) == Array("Go\0".utf8)
    }
}
