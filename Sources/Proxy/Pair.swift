internal import LinkEngine

/// A value for each direction of a connection.
struct PerDirection<Value: ~Copyable>: ~Copyable {
    private var up: Value
    private var down: Value

    init(up: consuming Value, down: consuming Value) {
        self.up = up
        self.down = down
    }

    subscript(direction: Direction) -> Value {
        _read { if direction == .up { yield up } else { yield down } }
        _modify { if direction == .up { yield &up } else { yield &down } }
    }
}

/// A value for each side of a connection.
struct PerSide<Value: ~Copyable>: ~Copyable {
    private var client: Value
    private var upstream: Value

    init(client: consuming Value, upstream: consuming Value) {
        self.client = client
        self.upstream = upstream
    }

    subscript(side: Side) -> Value {
        _read { if side == .client { yield client } else { yield upstream } }
        _modify { if side == .client { yield &client } else { yield &upstream } }
    }
}
