extension HelpTopic {
    /// What faults do in HTTP requests and responses.
    static let requestFaults: [Section] = [
        Section(
            heading: "In HTTP/1.x: which requests",
            text: """
                TLS is not looked into. Where a fault may act, requests on one connection go one \
                after the other.
                """,
            entries: [
                .init(term: "c1/r2", meaning: "the second request on the first connection"),
                .init(term: "c*/r1", meaning: "the first request on every connection"),
                .init(
                    term: "PATCH(/u/*)#1",
                    meaning: """
                        the first PATCH of the run to such a path, on whatever connection; #* is \
                        every one, #*/3 every third, *(/u/*)#1 any method
                        """
                ),
                .init(
                    term: "obj(/big.bin)#2",
                    meaning: "the embedded origin's object, from the second request for it on"
                ),
            ]
        ),
        Section(
            heading: "In HTTP/1.x: where",
            text: "Content is counted without the framing of chunks.",
            entries: [
                .init(
                    term: ":resp.body+5000",
                    meaning: "once the client has 5,000 bytes of content, the last of them included"
                ),
                .init(
                    term: ":req.body-1",
                    meaning: "all but the last byte of content; needs a Content-Length"
                ),
                .init(term: ":req.body~500", meaning: "500 thousandths, half of it; the same"),
                .init(
                    term: ":resp.head+0",
                    meaning: "no byte of the answer; head-1, head and body+0 are further"
                ),
                .init(
                    term: ":resp.chunk[2]",
                    meaning: "the end of the second chunk; chunk[2]+10 is within it"
                ),
                .init(term: ":req.end", meaning: "the whole request, trailers and all"),
                .init(
                    term: ":interim(104)",
                    meaning: """
                        behind the first 104; interim(104)+0 before it, interim(104#2) is the \
                        second, interim(104#*) each
                        """
                ),
                .init(term: ":idle", meaning: "when the answer is complete and nothing under way"),
            ]
        ),
        Section(
            heading: "In HTTP/1.x: what happens",
            text: "rst, fin, hole, stall, slow and corrupt do what they do above. Also:",
            entries: [
                .init(
                    term: "POST(/f)#1:req.end=swallow",
                    meaning: """
                        the server answers in full, the client is reset before it hears of it; \
                        swallow(keep=head,end=fin) lets the head through, keep= is none, interim, \
                        head or half
                        """
                ),
                .init(
                    term: "c1/r1:req.head=status(503,retry-after=4)",
                    meaning: """
                        this answer, and the server never sees the request; any status and fields, \
                        retry-after=date+4 for a date, close to end the connection
                        """
                ),
                .init(
                    term: "c1/r1:req.head=early(413)",
                    meaning: "this answer while the content is still coming, then the end"
                ),
                .init(
                    term: "c1/r1:interim(104)=withhold",
                    meaning: """
                        the client does not get it; dup gives it twice, edit(location=/x) changes \
                        it, stall(2s) holds it
                        """
                ),
                .init(
                    term: "c1/r1:req.head=inject(103)",
                    meaning: "an interim response in addition"
                ),
                .init(
                    term: "c1/r1:resp.body+9=truncate",
                    meaning: """
                        an end that no length contradicts: only without Content-Length, as with \
                        --framing chunked or close
                        """
                ),
                .init(
                    term: "c1/r1:req.body+9=late(5,until=PATCH(/u/*)#2:req.end)",
                    meaning: """
                        the client is reset; five more of its bytes reach the server on the old \
                        connection when that request is through
                        """
                ),
                .init(
                    term: "c1/r1:idle=rst-on-next",
                    meaning: "the kept connection is reset when it is used again"
                ),
                .init(
                    term: "c*=buffer(req)",
                    meaning: """
                        no request goes on before it is whole; buffer(resp) does so with answers, \
                        strip(1xx) takes interim ones away
                        """
                ),
                .init(
                    term: "c2:connect=silent",
                    meaning: "accepted and never answered; silent(2) for two"
                ),
                .init(
                    term: "c2:connect=down(until=c1/r1:resp.end)",
                    meaning: """
                        nothing listens in place of the second connection, until the first answer \
                        is through; down(2s) for a time
                        """
                ),
            ]
        ),
        Section(
            heading: "Of the embedded origin; `crash` also of the server of --origin-cmd",
            text: nil,
            entries: [
                .init(
                    term: "c1/r1:req.body+9=crash,see=104",
                    meaning: """
                        it is killed once it has read nine bytes, and started again; what it has is \
                        what it had stored. The client is reset when it answers again; who connects \
                        meanwhile waits
                        """
                ),
                .init(
                    term: "c1/r1:req.body+9=crash(loss=tail:5)",
                    meaning: """
                        ... and has lost five bytes that it said it had; or uncommitted, meta, all
                        """
                ),
                .init(
                    term: "obj(/big.bin)#2=mutate(same-size)",
                    meaning: """
                        from the second request on it is another object: same-size, shrink, grow, \
                        weak-etag, lm-only, same-second, touch
                        """
                ),
                .init(
                    term: "obj(/big.bin)#2=range(ignore)",
                    meaning: """
                        or shift:-1000, short:9, no-content-range, wrong-total, 200-partial, 304, \
                        416, multipart; gzip: compressed, under the same tag, and ranges count those bytes
                        """
                ),
                .init(term: "obj(/u/*)#2=expire", meaning: "the upload is gone"),
            ]
        ),
        Section(
            heading: "Further words, each behind a comma",
            text: nil,
            entries: [
                .init(
                    term: "c1/r1:req.body~500=rst,see=104",
                    meaning: """
                        not before the client has a 104, and no more of the answer; without it the \
                        client gets nothing of the answer, with see=open what has come
                        """
                ),
                .init(
                    term: "c1/r1:resp.head=rst,gate=body+9",
                    meaning: "the request is held there until the fault of its answer acts"
                ),
                .init(
                    term: "GET(/x)#1:resp.body=fin,times=2",
                    meaning: "on this request and the next; times=all on all that follow"
                ),
                .init(
                    term: "c1/r1:resp.body=fin,drain=5s",
                    meaning: "after the end what comes is read for so long, else for 2 s"
                ),
            ]
        ),
    ]
}
