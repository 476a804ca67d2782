import Basics
import HTTPWire
import Testing

@testable import Origin

@Suite struct AccessRecordTests {
    @Test func `a record is one line of JSON without secrets`() {
        let head = RequestHead(
            "GET",
            "/a\u{7F}\"",
            fields: ["Range": "bytes=1-2", "Authorization": "secret", "Cookie": "secret"]
        )
        var record = AccessRecord(
            ordinal: 3,
            connection: 2,
            peer: "127.0.0.1:9",
            head: head,
            atMicroseconds: 17
        )
        record.take(ResponseHead(206, fields: ["Content-Range": "bytes 1-2/9", "X": "y"]))
        record.interims = [104, 104]
        record.bytesOut = 5
        record.tookMicroseconds = 8
        let text = record.json.text
        #expect(
            text == """
                {"v":1,"t":"request","n":3,"at":17,"connection":2,"peer":"127.0.0.1:9",\
                "method":"GET","target":"/a\\u007f\\"","http":"1.1","request":{"Range":"bytes=1-2"},\
                "interim":[104,104],"status":206,"response":{"Content-Range":"bytes 1-2/9"},\
                "bytesIn":0,"bytesOut":5,"outcome":"answered","took":8}
                """
        )
    }

    @Test func `a request without an answer has no status`() {
        let record = AccessRecord(
            ordinal: 1,
            connection: 1,
            peer: "",
            head: RequestHead("GET", "/"),
            atMicroseconds: 0
        )
        #expect(record.json.text.contains("\"status\":null"))
    }
}
