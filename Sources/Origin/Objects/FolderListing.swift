internal import Basics
internal import HTTPWire
internal import SystemIO

/// What is in a folder, for people and for programs.
struct FolderListing: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var name: String
        var isFolder: Bool
        /// Bytes.
        var size: UInt64
        /// Seconds since 1970.
        var modified: Int
    }

    /// As in the URL, with slashes at both ends, not escaped.
    var path: String
    var entries: [Entry]
    /// Whether there are more than are listed.
    var isCut: Bool

    /// Entries that a listing shows at most.
    static let maximumEntries = 10_000

    /// Reads a folder; what is neither file nor folder does not count, a link not before it is asked
    /// for.
    init(_ folder: Folder, path: String, hidden: Set<String>) throws(SystemError) {
        let found = try folder.entries(limit: Self.maximumEntries + 1)
        self.path = path
        isCut = found.count > Self.maximumEntries
        entries = found.prefix(Self.maximumEntries).compactMap { entry in
            let kind = entry.information.kind
            guard kind == .regular || kind == .folder || kind == .symbolicLink,
                !hidden.contains(entry.name)
            else { return nil }
            return Entry(
                name: entry.name,
                isFolder: kind == .folder,
                size: kind == .regular ? entry.information.size : 0,
                modified: Int(entry.information.modified.wholeSeconds)
            )
        }
    }

    var json: JSONValue {
        var object: JSONObject = ["path": .string(path)]
        let list = entries.map { entry -> JSONValue in
            let members: JSONObject = [
                "name": .string(entry.name),
                "type": .string(entry.isFolder ? "folder" : "file"),
                "size": entry.isFolder ? nil : .number(entry.size),
                "modified": .string(HTTPDate(secondsSince1970: entry.modified).text),
            ]
            return .object(members)
        }
        object.append("entries", .array(list))
        if isCut { object.append("cut", .bool(true)) }
        return .object(object)
    }

    var html: String {
        let title = "Contents of \(Self.escaped(path))"
        var lines = [
            "<!DOCTYPE html>", "<html lang=\"en\"><head><meta charset=\"utf-8\">",
            "<title>\(title)</title></head><body><h1>\(title)</h1><table>",
        ]
        if path != "/" { lines.append("<tr><td><a href=\"../\">../</a></td></tr>") }
        for entry in entries {
            let slash = entry.isFolder ? "/" : ""
            let name = Self.escaped(entry.name) + slash
            let link = PercentEncoding.encode(entry.name) + slash
            let date = HTTPDate(secondsSince1970: entry.modified).text
            let size = entry.isFolder ? "" : "\(entry.size)"
            lines.append(
                "<tr><td><a href=\"./\(link)\">\(name)</a></td><td align=\"right\">\(size)</td>"
                    + "<td>\(date)</td></tr>"
            )
        }
        if isCut { lines.append("<tr><td>and more</td></tr>") }
        lines.append("</table></body></html>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in PrintableText.escaped(text) {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
