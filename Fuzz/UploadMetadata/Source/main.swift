// Invariant: any field is refused, or is pairs whose keys are plain and differ, and whose names for
// files, numbered or not, stay names of one folder that fit and hide nothing.

import FuzzSupport
import Origin
import ResumableServer

fuzz { bytes in
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    check(String(decoding: bytes, as: UTF8.self))
    guard let metadata = TusMetadata(text) else { return }
    let keys = metadata.pairs.map(\.key)
    require(Set(keys).count == keys.count, "no key is there twice")
    for pair in metadata.pairs {
        require(!pair.key.isEmpty, "a key is a word")
        require(!pair.key.utf8.contains { !(0x21...0x7E).contains($0) }, "a key is plain")
        if let value = metadata.text(pair.key) {
            require(Array(value.utf8) == pair.value, "text is what was sent")
            check(value)
        }
    }
}

private func check(_ suggestion: String) {
    guard let name = ObjectName(suggestion: suggestion) else { return }
    for number in [1, 2, 10_000] {
        let candidate = name.candidate(number)
        require(!candidate.isEmpty && candidate.utf8.first != 0x2E, "a name shows itself")
        require(candidate.utf8.count <= 255, "a name fits")
        require(!candidate.utf8.contains { $0 < 0x20 || $0 == 0x2F || $0 == 0x5C }, "one name")
    }
    require(ObjectName(suggestion: name.text) == name, "a harmless name stays as it is")
}
