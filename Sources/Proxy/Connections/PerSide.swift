/// An object for each side of a connection.
struct PerSide<Value: AnyObject> {
    let client: Value
    let upstream: Value

    subscript(side: Side) -> Value {
        switch side {
        case .client: client
        case .upstream: upstream
        }
    }
}
