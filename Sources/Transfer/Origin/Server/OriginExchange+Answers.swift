internal import HTTPTransport
internal import HTTPWire
internal import Journal

extension OriginExchange {
    /// Answers by a status and a sentence.
    func refuse(_ status: Int, _ text: String) {
        let fields: HeaderFields = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
        ]
        answer(ResponseHead(status, fields: fields), .text("\(text)\n"))
    }

    /// Answers by a JSON value.
    func give(_ value: JSONValue) {
        let fields: HeaderFields = [
            "Content-Type": "application/json", "Cache-Control": "no-store",
        ]
        answer(ResponseHead(200, fields: fields), .text("\(value.text)\n"))
    }
}
