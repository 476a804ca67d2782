/// Something that belongs to no single option: `linkcond help faults`, and a part of the man page.
///
/// Its text is written in the part of Markdown that `HelpTopicParser` reads.
package struct HelpTopic: Hashable, Sendable {
    /// What follows `linkcond help`.
    package var name: String
    /// One line, without a full stop.
    package var summary = ""
    /// Before the sections.
    package var introduction: [String] = []
    var sections: [Section] = []

    struct Section: Hashable, Sendable {
        package var heading: String
        package var text: String?
        /// Terms and what they mean.
        package var entries: [Entry] = []
    }

    package struct Entry: Hashable, Sendable {
        package var term: String
        package var meaning: String
    }
}
