import Basics
import SystemIO
import Testing

@testable import Commands

@Suite struct ScreenTests {
    @Test func `only lines that changed are written again`() throws {
        let folder = FileSystem.currentDirectory
        let path = "\(folder)/.build/screen-test.out"
        let output = try OutputFile(creating: path)
        let screen = Screen(output: output, style: TextStyle(isColoured: false))
        screen.enter()
        let isShown = screen.isActive
        screen.draw { _ in [StyledLine("one"), StyledLine("two")] }
        let before = try FileSystem.read(path, limit: 10_000).count
        screen.draw { _ in [StyledLine("one"), StyledLine("2")] }
        let written = try FileSystem.read(path, limit: 10_000).dropFirst(before)
        screen.draw { _ in [StyledLine("one"), StyledLine("2")] }
        let after = try FileSystem.read(path, limit: 10_000).count
        screen.leave()
        FileSystem.remove(path)
        // Where the tests themselves run in the background of a terminal nothing is drawn.
        guard isShown else { return }
        #expect(String(decoding: written, as: UTF8.self) == "\u{1B}[2;1H\u{1B}[K2")
        #expect(after == before + written.count)
    }
}
