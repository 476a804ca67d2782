import Testing

@Suite struct CommandLineToolPlaceholder {}
