// Invariant: any bytes are refused in one line at a line and column, or are a journal that reads the
// same byte by byte and whose canonical form is a journal with the same canonical form, also if it is
// given as the records come. What the scanner takes, the parser takes and finds the same.

import Basics
import FuzzSupport
import Journal

fuzz { bytes in
    compareScanner(bytes)
    do throws(JournalError) {
        let journal = try CanonicalJournal(reading: bytes)
        let again = try CanonicalJournal(reading: journal.text)
        require(again.text == journal.text, "the canonical form is canonical")
        require(JournalDiff.compare(journal, again).differences.isEmpty, "equal journals are equal")
        require(try count(bytes) == journal.recordCount, "pieces change nothing")
        require(try given(bytes).map { $0 == journal.text } ?? true, "what was given stays right")
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

/// The canonical form, given as the records come; nil if a later record contradicts it.
private func given(_ bytes: [UInt8]) throws(JournalError) -> [UInt8]? {
    var (reader, journal, form) = (JournalReader(), CanonicalJournal(), [UInt8]())
    reader.append(bytes)
    while let entry = try reader.next() {
        journal.add(entry)
        journal.giveFinal { form += $0 }
    }
    journal.giveRest { form += $0 }
    return journal.isContradicted ? nil : form
}

/// Holds the scanner to the parser, line by line.
private func compareScanner(_ bytes: [UInt8]) {
    var scanner = JSONScanner()
    for line in bytes.split(separator: UInt8(ascii: "\n")).map({ Array($0) })
    where scanner.scan(line, from: 0) == line.count {
        let value = try? JSONParser.parse(line[...])
        require(value == .object(JSONText(line, scanner.nodes).object()), "both find the same")
        require(value.map { Array($0.text.utf8) } == line, "it is written so")
    }
}
