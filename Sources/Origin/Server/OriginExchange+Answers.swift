internal import Basics
internal import HTTPTransport
internal import HTTPWire

extension OriginExchange {
    /// Answers by a status, a sentence and, where the status asks for them, further fields.
    func refuse(_ status: Int, _ text: String, _ further: HeaderFields = [:]) {
        answer(status, text, further)
    }

    /// Answers by text.
    func tell(_ text: String) { answer(200, text, [:]) }

    private func answer(_ status: Int, _ text: String, _ further: HeaderFields) {
        var fields: HeaderFields = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
        ]
        for field in further.fields { fields.add(field.name, field.value) }
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
