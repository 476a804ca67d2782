internal import Basics
internal import SystemIO

/// The background transfers of a user: one folder each, named by its identifier.
package struct TransferRegistry: Sendable {
    /// The folder of all.
    package let root: String

    /// The most bytes of an identifier.
    package static let identifierLimit = 64

    package init(root: String) { self.root = root }

    /// Whether a text can name a transfer: letters, digits, `.`, `_` and `-`, no `.` first.
    package static func isIdentifier(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= identifierLimit, !text.hasPrefix("."),
            !text.hasPrefix("-")
        else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    /// An identifier that nobody else has.
    package static func freshIdentifier() -> String {
        "t" + HexadecimalText.encode(SecureRandom.bytes(4))
    }

    /// All transfers, by identifier.
    package func all() -> [TransferFolder] {
        let entries = (try? Folder(root).entries()) ?? []
        return entries.filter { $0.information.kind == .folder && Self.isIdentifier($0.name) }
            .map(\.name).sorted()
            .map { TransferFolder(identifier: $0, path: "\(root)/\($0)") }
    }

    /// The file that the transfer which has its turn holds a lock on; no transfer is named so.
    var turn: FilePlace { FilePlace(folder: root, name: ".turn") }

    /// The transfer of this identifier; nil if there is none.
    package func transfer(_ identifier: String) -> TransferFolder? {
        guard Self.isIdentifier(identifier) else { return nil }
        let folder = TransferFolder(identifier: identifier, path: "\(root)/\(identifier)")
        return folder.exists ? folder : nil
    }

    /// Makes the folder of a new transfer, readable by its owner only.
    package func make(_ identifier: String) throws(StorageError) -> TransferFolder {
        precondition(Self.isIdentifier(identifier), "an identifier is checked before")
        let path = "\(root)/\(identifier)"
        do throws(SystemError) {
            _ = try Folder.make(path, permissions: 0o700)
        } catch {
            throw StorageError("cannot make the folder '\(path)': \(error)")
        }
        return TransferFolder(identifier: identifier, path: path)
    }

    /// Forgets a transfer; the files that it has transferred stay.
    package func remove(_ transfer: TransferFolder) throws(StorageError) {
        do throws(SystemError) {
            let folder = try Folder(transfer.path)
            for entry in try folder.entries() where entry.information.kind != .folder {
                try folder.remove(entry.name)
            }
            try Folder(root).removeFolder(transfer.identifier)
        } catch {
            throw StorageError("cannot remove '\(transfer.path)': \(error)")
        }
    }
}
