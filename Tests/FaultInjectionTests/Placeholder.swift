import Testing

@Suite struct FaultInjectionPlaceholder {}
