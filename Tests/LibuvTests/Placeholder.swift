import Testing

@Suite struct LibuvPlaceholder {}
