// Invariant: HTTP/2 passes byte for byte where no fault acts; where one does, both sides still get whole
// frames, and what they get does not depend on how the bytes were cut. Nothing that comes in traps.

import Basics
import Faults
import FuzzSupport
import HTTP2

private let faults = [
    nil, "c1/r1:resp.body+3=rst", "c1/r1:resp.body+3=fin", "c1/r2:resp.head=hole",
    "c1/r1:resp.body+2=stall(1s)", "c1/r1:req.head=status(503)", "c1/r1:req.body+1=rst",
    "c1/r1:req.end=swallow", "c1/r1:resp.body+1=corrupt", "c1/r1:req.head=inject(103)",
    "c1/r1:resp.head=edit(content-length=3)", "c1:down+40=rst", "c*/r*:resp.body~500=rst",
    "c1/r1:grpc.down[2]+3=rst", "c1/r1:grpc.down[1]-1=fin", "c*/r*:grpc.down[2]=drop",
    "c*/r*:grpc.up[1]=drop", "c1/r1:sse[2]+0=rst", "c1/r1:sse[1]~500=stall(1s)",
    "c*/r*:sse[1]=drop", "c1/r1:ws.down[2]-1=rst", "c*/r*:ws.down[1]=drop",
    "c*/r*:ws.up[1]=ping(hold)", "c1/r1:resp.body+1=slow(8kbit/s)", "c*/r*:req.head=slow(8kbit/s)",
    "c*=buffer(resp)", "c*=buffer(req)", "c1/r1:req.body+1=late(2,until=c9:connect)",
    "c1/r1:req.head+0=stall(1s)", "c*/r*:grpc.down[1]=dup", "c*/r*:grpc.up[1]=dup",
    "c*/r*:sse[1]=dup", "c*/r*:ws.down[1]=dup", "c*/r*:ws.down[1]+0=close(1011)",
]

/// The first byte chooses the fault, each further pair is a frame that one side sends.
fuzz { input in
    guard let choice = input.first else { return }
    let fault = faults[Int(choice) % faults.count]
    let script = Script(Array(input.dropFirst()))
    let whole = StreamDrive(fault, slice: .max).after(script)
    if fault == nil, !script.isRaw {
        require(whole.got == script.sent, "what nothing acts on passes as it came")
    }
    for slice in [1, 7, 30] {
        let cut = StreamDrive(fault, slice: slice).after(script)
        if fault == nil {
            require(cut.got == whole.got, "slices change no byte")
            require(cut.messages == whole.messages, "slices change nothing of messages")
        } else if fault?.hasPrefix("c1:down") == true {
            // How far the other direction came depends on the moment.
            require(cut.got[.down] == whole.got[.down], "exactly so many bytes")
        } else if !script.isRaw {
            require(cut.received == whole.received, "slices change nothing that is received")
        }
    }
}
