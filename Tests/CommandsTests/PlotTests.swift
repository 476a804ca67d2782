import Testing

@testable import Commands

@Suite struct PlotTests {
    @Test func `a column is as high as its value`() {
        let plot = Plot(values: [0, 1, 8, 16], top: 16, rows: 2, usesUnicode: true)
        #expect(plot.lines() == ["   █", " ▁██"])
    }

    @Test func `without Unicode there is only ASCII`() {
        let plot = Plot(values: [0, 1, 4, 8], top: 8, rows: 1, usesUnicode: false)
        #expect(plot.lines() == [" .+#"])
    }

    @Test func `nothing is drawn for nothing`() {
        #expect(Plot(values: [0, 0], top: 1, rows: 1, usesUnicode: true).lines() == ["  "])
        #expect(Plot(values: [], top: 1, rows: 2, usesUnicode: true).lines() == ["", ""])
    }

    @Test func `a sparkline keeps to its ceiling unless a value is higher`() {
        #expect(Plot.sparkline([0, 4, 8], top: 8, usesUnicode: true) == " ▄█")
        #expect(Plot.sparkline([0, 4, 8], top: 16, usesUnicode: true) == " ▂▄")
        #expect(Plot.sparkline([16, 8], top: 8, usesUnicode: true) == "█▄")
    }
}
