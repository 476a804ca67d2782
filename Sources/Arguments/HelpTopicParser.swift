/// Reads a topic from Markdown: a heading, paragraphs, and sections with lists of terms.
///
///     # The summary
///
///     A paragraph of the introduction, on several lines.
///
///     ## The heading of a section
///
///     - `term`: its meaning,
///       on several lines
package enum HelpTopicParser {
    package static func topic(named name: String, _ markdown: String) -> HelpTopic {
        var topic = HelpTopic(name: name)
        for block in blocks(markdown) {
            if block.hasPrefix("# ") {
                topic.summary = String(block.dropFirst(2))
            } else if block.hasPrefix("## ") {
                topic.sections.append(HelpTopic.Section(heading: String(block.dropFirst(3))))
            } else if topic.sections.isEmpty {
                topic.introduction.append(block)
            } else if block.hasPrefix("- `") {
                topic.sections[topic.sections.count - 1].entries.append(entry(block))
            } else {
                topic.sections[topic.sections.count - 1].text = block
            }
        }
        return topic
    }

    /// Headings, paragraphs and items of lists, each on one line.
    private static func blocks(_ markdown: String) -> [String] {
        var blocks: [String] = []
        var isOpen = false
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            if text.isEmpty {
                isOpen = false
            } else if isOpen, !text.hasPrefix("- `") {
                blocks[blocks.count - 1] += " \(text)"
            } else {
                blocks.append(String(text))
                isOpen = true
            }
        }
        return blocks
    }

    private static func entry(_ item: String) -> HelpTopic.Entry {
        let text = item.dropFirst("- `".count)
        let term = text.prefix { $0 != "`" }
        return HelpTopic.Entry(
            term: String(term),
            meaning: String(text.dropFirst(term.count + "`: ".count))
        )
    }
}
