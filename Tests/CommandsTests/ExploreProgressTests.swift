import Basics
import Exploration
import Testing

@testable import Commands

@Suite struct ExploreProgressTests {

    private func state(done: Int, waiting: Int = 0) -> CampaignProgress {
        var state = CampaignProgress()
        state.done = done
        state.running = 3
        state.waiting = waiting
        return state
    }

    @Test func `the line has what is done, found and left`() {
        var state = state(done: 10, waiting: 17)
        state.findings = 1
        state.unreached = 2
        #expect(
            ExploreProgress.line(
                state,
                elapsed: .seconds(7),
                remaining: "about 15 s left"
            )
                == "0:07  10 of 30 runs, 3 at work, 1 finding, 2 faults did not act, about 15 s left"
        )
        #expect(
            ExploreProgress.line(self.state(done: 2), elapsed: .zero)
                == "0:00  2 of 5 runs, 3 at work"
        )
        var silent = self.state(done: 2)
        silent.confirmingHangs = 1
        #expect(
            ExploreProgress.line(silent, elapsed: .zero)
                == "0:00  2 of 5 runs, 3 at work, 1 silent run waited for up to --deadline"
        )
    }

    @Test func `a terminal's line is written over`() {
        var progress = ExploreProgress(isTerminal: true)
        let first = progress.next(state(done: 1), elapsed: .seconds(1))
        #expect(first?.hasPrefix("\r\u{1B}[K0:01") == true)
        #expect(progress.next(state(done: 2), elapsed: .seconds(1) + .nanoseconds(1)) == nil)
        #expect(progress.clear() == "\r\u{1B}[K")
        #expect(progress.clear() == nil)
    }

    @Test func `the pace is measured between the lines, too`() {
        var progress = ExploreProgress(isTerminal: false)
        for quarter in 0...40 {
            let state = state(done: 2 + quarter, waiting: 77 - quarter)
            let line = progress.next(state, elapsed: .milliseconds(Int64(quarter) * 250))
            #expect((line != nil) == (quarter == 40))
            // Forty runs in ten seconds, and forty more.
            if let line { #expect(line.hasSuffix(", about 10 s left\n"), "\(line)") }
        }
    }

    @Test func `elsewhere there is a line each ten seconds`() {
        var progress = ExploreProgress(isTerminal: false)
        #expect(progress.next(state(done: 1), elapsed: .seconds(1)) == nil)
        let line = progress.next(state(done: 1), elapsed: .seconds(11))
        #expect(line == "0:11  1 of 4 runs, 3 at work\n")
        #expect(progress.next(state(done: 9), elapsed: .seconds(12)) == nil)
        #expect(progress.clear() == nil)
    }
}
