internal import Basics
internal import HTTP2
internal import HTTPWire

// What the gate of one stream is told of its messages.
extension FaultGate {
    /// Takes the fields of a head or of trailers.
    mutating func take(_ fields: [BlockField], isLast: Bool, _ direction: Direction) {
        let size = fields.listSize
        let side = TapSide(sending: direction)
        if direction == .up, stream?.position(of: .client) == 0, let head = RequestHead(fields) {
            sort(stream?.request(head, size: size, isWhole: isLast) ?? [])
        } else if direction == .down, let head = ResponseHead(fields) {
            sort(stream?.response(head, size: size, isWhole: isLast) ?? [])
        } else {
            sort(stream?.trailers(of: side, size: size) ?? [])
        }
    }

    /// Takes content.
    mutating func take(_ content: Int, isLast: Bool, _ direction: Direction) {
        let side = TapSide(sending: direction)
        sort(stream?.content(content, of: side, isLast: isLast) ?? [])
    }
}
