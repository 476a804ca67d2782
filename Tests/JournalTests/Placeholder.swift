import Testing

@Suite struct JournalPlaceholder {}
