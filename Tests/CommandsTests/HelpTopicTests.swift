import Testing

@testable import Arguments
@testable import Commands

@Suite struct HelpTopicTests {
    @Test func `a topic is read from Markdown`() {
        let text = """
            # What it is about

            A paragraph
            on two lines.

            Another one.

            ## First

            Before the list.

            - `c1`: the first
            - `c*`: every one,
              on two lines
            - `:idle`

            ## Second

            """
        let topic = HelpTopicParser.topic(named: "example", text)
        #expect(topic.summary == "What it is about")
        #expect(topic.introduction == ["A paragraph on two lines.", "Another one."])
        #expect(topic.sections.map(\.heading) == ["First", "Second"])
        #expect(topic.sections.map(\.text) == ["Before the list.", nil])
        #expect(
            topic.sections[0].entries == [
                .init(term: "c1", meaning: "the first"),
                .init(term: "c*", meaning: "every one, on two lines"),
                .init(term: ":idle", meaning: ""),
            ]
        )
    }

    @Test(arguments: HelpTopic.all)
    func `a topic has a summary and sections, and nothing left to insert`(topic: HelpTopic) {
        #expect(!topic.summary.isEmpty && !topic.sections.isEmpty)
        for section in topic.sections { #expect(!section.entries.isEmpty, "\(section.heading)") }
        let entries = topic.sections.flatMap(\.entries)
        let texts = topic.introduction + entries.map(\.term) + entries.map(\.meaning)
        #expect(!texts.contains { $0.contains("{{") })
    }
}
