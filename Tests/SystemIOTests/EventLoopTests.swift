import Basics
import Foundation
import Testing

@testable import SystemIO

@Suite struct EventLoopTests {
    @Test func `a loop without anything open ends in order`() throws {
        let loop = try EventLoop()
        let timer = try Timer(loop: loop) {}
        timer.close()
        timer.close()
        #expect(loop.watchedDescriptors == 2)
    }

    @Test func `a coarse timer fires once, or again and again, and never after it was stopped`()
        throws
    {
        let loop = try EventLoop()
        var fired = (once: 0, often: 0, stopped: 0)
        let once = try Timer(loop: loop) { fired.once += 1 }
        let stopped = try Timer(loop: loop) { fired.stopped += 1 }
        let often = try Timer(loop: loop) {
            fired.often += 1
            if fired.often == 3 { loop.stop() }
        }
        once.start(afterMilliseconds: 1)
        stopped.start(afterMilliseconds: 1)
        stopped.stop()
        often.start(afterMilliseconds: 5, repeatMilliseconds: 5)
        loop.run()
        #expect(fired == (1, 3, 0))
        for timer in [once, stopped, often] { timer.close() }
    }

    /// Ends the loop.
    private final class Stopper: ReadinessHandler {
        unowned let loop: EventLoop
        init(_ loop: EventLoop) { self.loop = loop }
        func ready(_ readiness: Readiness, tag: UInt32) { loop.stop() }
    }

    /// As after the process got no processor for a time.
    @Test(arguments: ["later", "in line", "stop"])
    func `what a timer brings up that is due already does not wait for the next event`(
        what: String
    ) throws {
        let loop = try EventLoop()
        let stopper = Stopper(loop)
        var isLate = false
        let limit = try Timer(loop: loop) {
            isLate = true
            loop.stop()
        }
        limit.start(afterMilliseconds: 5_000)
        let due = try Timer(loop: loop) {
            switch what {
            case "later": loop.runLater(stopper)
            case "in line": loop.waitInLine(stopper)
            default: loop.stop()
            }
        }
        due.start(afterMilliseconds: 0)
        loop.run()
        #expect(!isLate)
        for timer in [limit, due] { timer.close() }
    }

    @Test func `a turn that has handled a timer does not wait for another event`() throws {
        let loop = try EventLoop()
        var isLate = false
        let limit = try Timer(loop: loop) { isLate = true }
        limit.start(afterMilliseconds: 5_000)
        var hasFired = false
        let due = try Timer(loop: loop) { hasFired = true }
        due.start(afterMilliseconds: 0)
        loop.runOnce()
        #expect(hasFired && !isLate)
        for timer in [limit, due] { timer.close() }
    }

    @Test func `a precise timer is never early and rarely late`() throws {
        let loop = try EventLoop()
        var lateness: [Duration] = []
        var due = Instant.start
        var timer: PreciseTimer?
        timer = try PreciseTimer(loop: loop) {
            lateness.append(loop.now - due)
            guard lateness.count < 100 else { return loop.stop() }
            due = loop.now + .microseconds(250)
            timer?.fire(at: due)
        }
        due = loop.now + .microseconds(250)
        timer?.fire(at: due)
        loop.run()
        timer?.close()
        timer = nil
        #expect(lateness.allSatisfy { $0 >= .zero })
        // Half of them within 2 ms, even on a machine that is busy with other tests.
        #expect(lateness.sorted()[50] < .milliseconds(2))
    }

    @Test func `a cancelled precise timer does not fire, one in the past does at once`() throws {
        let loop = try EventLoop()
        var fired = 0
        let timer = try PreciseTimer(loop: loop) {
            fired += 1
            loop.stop()
        }
        timer.fire(at: loop.now + .milliseconds(1))
        timer.cancel()
        timer.fire(at: .start)
        loop.run()
        #expect(fired == 1)
        timer.close()
    }

    @Test func `alarms fire in the order of their times, equal ones as they were set`() throws {
        let loop = try EventLoop()
        let alarms = try TimerQueue(loop: loop)
        let start = loop.now
        var order: [Int] = []
        let last = start + .milliseconds(3)
        for (number, time) in [3, 1, 2, 1, 2].enumerated() {
            _ = alarms.set(at: start + .microseconds(Int64(time) * 500)) { order.append(number) }
        }
        let cancelled = alarms.set(at: start + .microseconds(600)) { order.append(99) }
        alarms.cancel(cancelled)
        alarms.cancel(cancelled)
        _ = alarms.set(at: last) { loop.stop() }
        #expect(alarms.count == 6)
        loop.run()
        #expect(order == [1, 3, 2, 4, 0])
        #expect(alarms.count == 0)
        alarms.close()
    }

    @Test func `many alarms that are cancelled leave the others in place`() throws {
        let loop = try EventLoop()
        let alarms = try TimerQueue(loop: loop)
        let start = loop.now
        var order: [Int] = []
        let tokens = (0..<1_000).map { number in
            alarms.set(at: start + .microseconds(Int64(number * 7_919 % 1_000) * 2)) {
                order.append(number * 7_919 % 1_000)
            }
        }
        for (number, token) in tokens.enumerated() where !number.isMultiple(of: 10) {
            alarms.cancel(token)
        }
        _ = alarms.set(at: start + .microseconds(2_500)) { loop.stop() }
        loop.run()
        #expect(order.count == 100)
        #expect(order == order.sorted())
        alarms.close()
    }

    @Test func `another thread wakes the loop`() throws {
        // The loop's objects stay on this thread; only the wake-up goes to the other one, which is
        // no task: this one would keep a thread of theirs until another of them is free.
        let loop = try EventLoop()
        var wakes = 0
        let wakeup = try LoopWakeup(loop: loop) {
            wakes += 1
            loop.stop()
        }
        Thread.detachNewThread { wakeup.wake() }
        loop.run()
        wakeup.close()
        #expect(wakes == 1)
    }

    @Test func `what is deferred runs once, after a look at the descriptors`() throws {
        final class Counter: ReadinessHandler {
            var count = 0
            func ready(_ readiness: Readiness, tag: UInt32) { count += readiness.isEmpty ? 1 : 0 }
        }
        let loop = try EventLoop()
        let counter = Counter()
        loop.runLater(counter)
        loop.runLater(counter)
        loop.runOnce()
        #expect(counter.count == 2)
    }

    @Test func `those in line move so much in a turn, in their order, and hold nobody else up`()
        throws
    {
        final class Mover: ReadinessHandler {
            let turn: () -> Void
            init(turn: @escaping () -> Void) { self.turn = turn }
            func ready(_ readiness: Readiness, tag: UInt32) { turn() }
        }
        let loop = try EventLoop()
        var order: [String] = []
        for name in ["a", "b"] {
            loop.waitInLine(
                Mover {
                    order.append(name)
                    loop.noteMoved(EventLoop.bytesPerTurn)
                    // It comes back behind all others, however little they move.
                    loop.waitInLine(Mover { order.append(name + " again") })
                }
            )
        }
        for name in ["c", "d"] { loop.waitInLine(Mover { order.append(name) }) }
        loop.runOnce()
        loop.runLater(Mover { order.append("deferred") })
        loop.runOnce()
        loop.runOnce()
        #expect(order == ["a", "deferred", "b", "c", "d", "a again", "b again"])
    }

    @Test func `localhost is found at once and later, an invalid name is not`() throws {
        let loop = try EventLoop()
        let found = try NameResolver.resolveNow("localhost", port: 80, on: loop)
        #expect(found.contains(.ipv4(0x7F00_0001, port: 80)))
        #expect(throws: SystemError.self) {
            try NameResolver.resolveNow("no-such-host.invalid", port: 80, on: loop)
        }
        var answer: Result<[SocketAddress], SystemError>?
        NameResolver.resolve("localhost", port: 80, on: loop) {
            answer = $0
            loop.stop()
        }
        loop.run()
        #expect(try answer?.get() == found)
    }
}
