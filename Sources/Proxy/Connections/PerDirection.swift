internal import Basics

// Objects, not values: an accessor of a value that cannot be copied is a coroutine, which allocated
// memory and moved the whole value at each of some 50 accesses for every few bytes that pass.

/// An object for each direction of a connection.
struct PerDirection<Value: AnyObject> {
    let up: Value
    let down: Value

    subscript(direction: Direction) -> Value {
        switch direction {
        case .up: up
        case .down: down
        }
    }
}
