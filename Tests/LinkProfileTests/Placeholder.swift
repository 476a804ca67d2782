import Testing

@Suite struct LinkProfilePlaceholder {}
