// Invariant: any bytes are refused in one line at a line and column, or are a journal that reads the
// same byte by byte and whose canonical form is a journal with the same canonical form.

import FuzzSupport
import Journal

fuzz { bytes in
    do throws(JournalError) {
        let journal = try CanonicalJournal(reading: bytes)
        let again = try CanonicalJournal(reading: journal.text)
        require(again.text == journal.text, "the canonical form is canonical")
        require(JournalDiff.compare(journal, again).differences.isEmpty, "equal journals are equal")
        require(try count(bytes) == journal.recordCount, "pieces change nothing")
    } catch {
        require(error.line >= 1 && error.column >= 1, "a mistake has a place")
        require(!error.description.utf8.contains { $0 < 0x20 }, "a message is one plain line")
        require(first(bytes) == error, "the same mistake is found byte by byte")
    }
}

/// Records, read byte by byte.
private func count(_ bytes: [UInt8]) throws(JournalError) -> Int {
    var reader = JournalReader()
    var count = 0
    for byte in bytes {
        reader.append(CollectionOfOne(byte))
        while try reader.next() != nil { count += 1 }
    }
    return count
}

/// The mistake that is found byte by byte.
private func first(_ bytes: [UInt8]) -> JournalError? {
    do throws(JournalError) {
        _ = try count(bytes)
        return nil
    } catch {
        return error
    }
}
