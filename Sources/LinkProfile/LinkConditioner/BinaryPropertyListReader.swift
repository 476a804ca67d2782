internal import YAML

/// Reads a binary property list of version 00, as CFBinaryPList writes it: a table of objects that
/// refer to each other by number, and a trailer that says how wide offsets and references are.
struct BinaryPropertyListReader {
    static let signature = Array("bplist00".utf8)
    private static let trailerLength = 32

    private let bytes: [UInt8]
    private let place: Place
    private let referenceWidth: Int
    private let root: Int
    private let offsets: [Int]
    private var valueCount = 0

    init(_ bytes: [UInt8], file: String) throws(PropertyListMistake) {
        let place = Place.wholeFile(file)
        let trailer = bytes.suffix(Self.trailerLength)
        guard bytes.count >= Self.signature.count + Self.trailerLength else {
            throw PropertyListMistake("the binary property list is cut short", at: place)
        }
        func field(_ offset: Int, _ width: Int) -> Int? {
            Self.integer(trailer.dropFirst(offset).prefix(width))
        }
        let tableEnd = bytes.count - Self.trailerLength
        guard let offsetWidth = field(6, 1), (1...8).contains(offsetWidth),
            let referenceWidth = field(7, 1), (1...8).contains(referenceWidth),
            let count = field(8, 8), (1...PropertyList.Limits.maximumValues).contains(count),
            let root = field(16, 8), root < count,
            let table = field(24, 8), table >= Self.signature.count, table <= tableEnd,
            count <= (tableEnd - table) / offsetWidth
        else { throw PropertyListMistake("the binary property list is damaged", at: place) }
        var offsets: [Int] = []
        for index in 0..<count {
            let entry = bytes[(table + index * offsetWidth)...].prefix(offsetWidth)
            guard let offset = Self.integer(entry), offset >= Self.signature.count, offset < table
            else { throw PropertyListMistake("the binary property list is damaged", at: place) }
            offsets.append(offset)
        }
        self.bytes = Array(bytes[..<table])
        self.place = place
        self.referenceWidth = referenceWidth
        self.root = root
        self.offsets = offsets
    }

    mutating func readDocument() throws(PropertyListMistake) -> PropertyList {
        try readObject(root, depth: 0)
    }

    private mutating func readObject(
        _ number: Int,
        depth: Int
    ) throws(PropertyListMistake) -> PropertyList {
        // An object may be referred to many times, and by itself.
        valueCount += 1
        guard number < offsets.count, depth < PropertyList.Limits.maximumDepth,
            valueCount <= PropertyList.Limits.maximumValues
        else { throw damaged }
        let offset = offsets[number]
        let low = Int(bytes[offset] & 0x0F)
        let content = offset + 1
        let value: PropertyList.Value
        switch bytes[offset] >> 4 {
        case 0x0 where low == 0x8 || low == 0x9: value = .boolean(low == 0x9)
        case 0x1: value = .number(try readInteger(at: content, width: 1 << min(low, 5)))
        case 0x2: value = .number(try readReal(at: content, width: 1 << min(low, 5)))
        case 0x3, 0x4, 0x8: value = .other
        case 0x5, 0x6:
            value = .string(try readString(at: content, low, isWide: bytes[offset] >> 4 == 0x6))
        case 0xA:
            var elements: [PropertyList] = []
            for number in try readReferences(at: content, low, times: 1) {
                elements.append(try readObject(number, depth: depth + 1))
            }
            value = .array(elements)
        case 0xD: value = .dictionary(try readEntries(at: content, low, depth: depth))
        default: throw damaged
        }
        return PropertyList(value, at: place)
    }

    private mutating func readEntries(
        at content: Int,
        _ low: Int,
        depth: Int
    ) throws(PropertyListMistake) -> [PropertyList.Entry] {
        let references = try readReferences(at: content, low, times: 2)
        let count = references.count / 2
        var entries: [PropertyList.Entry] = []
        for (key, value) in zip(references[..<count], references[count...]) {
            guard case .string(let key) = try readObject(key, depth: depth + 1).value else {
                throw damaged
            }
            guard !entries.contains(where: { $0.key == key }) else {
                throw PropertyListMistake("key '\(key)' stands twice", at: place)
            }
            entries.append(
                .init(key: key, place: place, value: try readObject(value, depth: depth + 1))
            )
        }
        return entries
    }

    private func readReferences(
        at start: Int,
        _ low: Int,
        times: Int
    ) throws(PropertyListMistake) -> [Int] {
        let (content, count) = try readCount(at: start, low)
        var references: [Int] = []
        for index in 0..<(count * times) {
            let field = try slice(at: content + index * referenceWidth, count: referenceWidth)
            guard let number = Self.integer(field) else { throw damaged }
            references.append(number)
        }
        return references
    }

    private func readString(
        at start: Int,
        _ low: Int,
        isWide: Bool
    ) throws(PropertyListMistake) -> String {
        let (content, count) = try readCount(at: start, low)
        let field = try slice(at: content, count: isWide ? count * 2 : count)
        let text: String?
        if isWide {
            let units = stride(from: field.startIndex, to: field.endIndex, by: 2)
                .map { UInt16(field[$0]) << 8 | UInt16(field[$0 + 1]) }
            text = String(validating: units, as: UTF16.self)
        } else {
            text = String(validating: field, as: UTF8.self)
        }
        guard let text else { throw damaged }
        return text
    }

    /// A count of 15 stands in an integer of its own.
    private func readCount(
        at start: Int,
        _ low: Int
    ) throws(PropertyListMistake) -> (content: Int, count: Int) {
        guard low == 0x0F else { return (start, low) }
        let marker = try slice(at: start, count: 1)[start]
        let width = 1 << Int(marker & 0x0F)
        guard marker >> 4 == 0x1, width <= 8,
            let count = Self.integer(try slice(at: start + 1, count: width)),
            count <= bytes.count
        else { throw damaged }
        return (start + 1 + width, count)
    }

    private func readInteger(at start: Int, width: Int) throws(PropertyListMistake) -> Double {
        var field = try slice(at: start, count: width)
        // Integers of 16 bytes hold what is above the largest signed one of 8.
        if width == 16 { field = field.dropFirst(8) }
        guard field.count <= 8 else { throw damaged }
        let value = field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return width == 8 ? Double(Int64(bitPattern: value)) : Double(value)
    }

    private func readReal(at start: Int, width: Int) throws(PropertyListMistake) -> Double {
        let field = try slice(at: start, count: width)
        let value = field.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch width {
        case 4: return Double(Float(bitPattern: UInt32(value)))
        case 8: return Double(bitPattern: value)
        default: throw damaged
        }
    }

    private func slice(at start: Int, count: Int) throws(PropertyListMistake) -> ArraySlice<UInt8> {
        guard start <= bytes.count, count <= bytes.count - start else { throw damaged }
        return bytes[start..<(start + count)]
    }

    private static func integer(_ field: some Collection<UInt8>) -> Int? {
        let value = field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    private var damaged: PropertyListMistake {
        PropertyListMistake("the binary property list is damaged", at: place)
    }
}
