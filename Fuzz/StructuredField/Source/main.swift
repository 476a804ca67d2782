// Invariant: any text is refused at a place of its own, or is an item, a list or a dictionary whose
// canonical text reads back as itself.

import FuzzSupport
import HTTPWire

fuzz { bytes in
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    do throws(StructuredFieldError) {
        let item = try StructuredField.parseItem(text)
        let canonical = try? StructuredField.serialize(item)
        let again = try? StructuredField.parseItem(canonical ?? "")
        require(again == item, "an item reads back")
    } catch {
        check(error, bytes.count)
    }
    do throws(StructuredFieldError) {
        let list = try StructuredField.parseList(text)
        let canonical = try? StructuredField.serialize(list)
        let again = try? StructuredField.parseList(canonical ?? "?")
        require(again == list, "a list reads back")
    } catch {
        check(error, bytes.count)
    }
    do throws(StructuredFieldError) {
        let dictionary = try StructuredField.parseDictionary(text)
        let canonical = try? StructuredField.serialize(dictionary)
        let again = try? StructuredField.parseDictionary(canonical ?? "?")
        require(again == dictionary, "a dictionary reads back")
    } catch {
        check(error, bytes.count)
    }
}

private func check(_ error: StructuredFieldError, _ count: Int) {
    require(error.offset.map { (0...count).contains($0) } ?? false, "a mistake has a place")
}
