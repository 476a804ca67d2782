@testable import Conformance
import HTTPWire
import Testing

/// Planted servers: functions from a request to a reply, right but for one mistake.
@Suite struct PlantedServerTests {}
