import Foundation
import Origin
import SystemIO
import Testing

/// A full disk is answered by 507 and loses nothing; for this a small file system is mounted, which
/// only root may do.
@Suite(.enabled(if: SmallDisk.isPossible)) struct DiskFullTests {
    private let content = KnownContent(seed: 12).bytes(0..<1_500_000)

    @Test(arguments: ["fsync", "write"])
    func `an upload that fills the disk goes on when there is room again`(commit: String) throws {
        let disk = try SmallDisk(bytes: 2 << 20)
        try disk.workspace.write("disk/filler", String(repeating: "x", count: 1_200_000))
        let origin = try RunningProxy(
            ["origin", "disk", "--commit", commit],
            in: disk.workspace
        )
        let version = ["-H", "Upload-Draft-Interop-Version: 6"]
        try disk.write("all", content)
        let first = try Program.curl(
            ["-i", "--data-binary", "@all", "http://\(origin.address)/files/a"]
                + ["-H", "Upload-Complete: ?1"] + version,
            in: disk.workspace
        )
        #expect(first.output.contains("HTTP/1.1 507 "), "\(first.output)\(first.errors)")
        let place = try #require(Self.field("Location", in: first.output))
        let status = try Program.curl(
            ["-I", "http://\(origin.address)\(place)"] + version,
            in: disk.workspace
        )
        let offset = try #require(
            Self.field("Upload-Offset", in: status.output).flatMap { Int($0) }
        )
        #expect(offset > 100_000 && offset < content.count)
        FileSystem.remove("\(disk.workspace.path)/disk/filler")
        try disk.write("rest", Array(content[offset...]))
        let second = try Program.curl(
            ["-i", "-X", "PATCH", "--data-binary", "@rest", "http://\(origin.address)\(place)"]
                + ["-H", "Upload-Complete: ?1", "-H", "Upload-Offset: \(offset)"]
                + ["-H", "Content-Type: application/partial-upload"] + version,
            in: disk.workspace
        )
        #expect(second.output.contains("HTTP/1.1 201 "), "\(second.output)")
        #expect(disk.workspace.bytes("disk/files/a") == content)
        _ = try origin.end()
    }

    @Test func `a full disk refuses new uploads and goes on serving`() throws {
        let disk = try SmallDisk(bytes: 1 << 20)
        let origin = try RunningProxy(["origin", "disk"], in: disk.workspace)
        disk.fill("disk/filler")
        let fields = ["-H", "Upload-Draft-Interop-Version: 8", "-H", "Upload-Complete: ?1"]
        for arguments in [fields, []] {
            let outcome = try Program.curl(
                ["-o", "/dev/null", "-w", "%{http_code}", "-d", "hello"]
                    + ["http://\(origin.address)/files/a"] + arguments,
                in: disk.workspace
            )
            #expect(outcome.output == "507", "\(arguments) \(outcome.output)")
        }
        let served = try Program.curl(["http://\(origin.address)/bytes/3", "-o", "/dev/null"])
        #expect(served.code == 0 && !disk.workspace.bytes("disk/filler").isEmpty)
        FileSystem.remove("\(disk.workspace.path)/disk/filler")
        let kept = try Program.curl(["-d", "hello", "http://\(origin.address)/files/a"])
        #expect(kept.output.contains("\"/files/a\""))
        _ = try origin.end()
    }

    @Test func `files and uploads on two file systems are refused at once`() throws {
        let disk = try SmallDisk(bytes: 1 << 20, at: "served/files")
        let outcome = try Program.run(["origin", "served"], in: disk.workspace)
        #expect(outcome.code == 73 && outcome.errors.contains("is on another file system"))
        #expect(FileSystem.names(in: "\(disk.workspace.path)/served") == ["files"])
    }

    @Test func `a download for which there is no room says so, and goes on when there is`() throws {
        let disk = try SmallDisk(bytes: 1 << 20)
        try disk.workspace.write("disk/filler", String(repeating: "x", count: 600_000))
        let origin = try RunningProxy(["origin"])
        let url = "http://\(origin.address)/bytes/800000?seed=12"
        let first = try Program.run(["download", url, "-o", "disk/f"], in: disk.workspace)
        #expect(first.code == 74 || first.code == 75, "\(first.errors)")
        #expect(
            first.errors.contains("there is no room for 'disk/f.part' (no space left on device)")
        )
        FileSystem.remove("\(disk.workspace.path)/disk/filler")
        let second = try Program.run(["download", url, "-o", "disk/f"], in: disk.workspace)
        #expect(second.code == 0, "\(second.errors)")
        #expect(disk.workspace.bytes("disk/f") == Array(content[..<800_000]))
        _ = try origin.end()
    }

    private static func field(_ name: String, in text: String) -> String? {
        text.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }
}

/// A file system of a few bytes in a workspace.
private final class SmallDisk {
    let workspace = Workspace()

    /// Tried once, since containers may forbid it to root.
    static let isPossible: Bool = (try? SmallDisk(bytes: 65_536)) != nil

    private let name: String

    init(bytes: Int, at name: String = "disk") throws {
        self.name = name
        try workspace.write("\(name)/.x", "")
        let arguments = ["-t", "tmpfs", "-o", "size=\(bytes)", "none", name]
        try #require(try Program("/bin/mount", arguments, in: workspace).wait().code == 0)
    }

    deinit {
        _ = try? Program("/bin/umount", ["-l", name], in: workspace).wait()
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(workspace.path)/\(name)"))
    }

    /// Writes to a file until nothing more fits.
    func fill(_ name: String) {
        guard let file = unsafe fopen("\(workspace.path)/\(name)", "w") else { return }
        let page = [UInt8](repeating: 1, count: 512)
        while unsafe fwrite(page, 1, page.count, file) == page.count, unsafe fflush(file) == 0 {}
        unsafe fclose(file)
    }
}
