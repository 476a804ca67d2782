import Testing

@Suite struct ProxyPlaceholder {}
