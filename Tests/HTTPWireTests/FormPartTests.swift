import HTTPWire
import Testing

@Suite struct FormPartTests {
    @Test(arguments: [
        ("form-data; name=a", "a", nil), ("Form-Data;NAME=\"a b\"", "a b", nil),
        ("form-data; name=\"f\"; filename=\"x.txt\"", "f", "x.txt"),
        ("form-data; filename=\"\"; name=\"\"", "", ""),
        ("form-data; name=f; filename=\"a\\\"b\\\\c\"", "f", "a\"b\\c"),
        ("form-data; name=f; filename=\"C:\\temp\\x.txt\"", "f", "C:\\temp\\x.txt"),
        ("form-data; name=f; filename=\"a;b=c%22\"", "f", "a;b=c%22"),
        ("form-data; name=f; filename=\"\u{C3}\u{BC}\"", "f", "\u{FC}"),
        ("form-data; name=f; filename=\"\u{FC}\"", "f", "\u{FC}"),
        ("form-data; name=f; filename=\"../../etc/passwd\"", "f", "../../etc/passwd"),
        ("form-data; name=f;;x=y; ", "f", nil),
    ])
    func `a part has a name and perhaps a file name`(text: String, name: String, file: String?) {
        let part = FormPart(["Content-Disposition": text, "Content-Type": "text/plain"])
        #expect(part?.name == name)
        #expect(part?.fileName == file)
        #expect(part?.contentType?.essence == "text/plain")
    }

    @Test(arguments: [
        "", "form-data", "form-data; filename=x", "attachment; name=a", "form-data; name=a; name=b",
        "form-data; name=\"a", "form-data; name=\"", "form-data; name", "form-data; name=\"a\"b",
        "form-data; =a", "form-data, name=a",
    ])
    func `other fields are no part of a form`(text: String) {
        #expect(FormPart(["content-disposition": text]) == nil)
        #expect(FormPart([:]) == nil)
    }
}
