import Testing

@Suite struct LinkEnginePlaceholder {}
