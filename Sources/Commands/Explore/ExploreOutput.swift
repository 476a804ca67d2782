internal import Arguments

/// Where the report of an exploration goes, and in which forms.
struct ExploreOutput: Hashable, Sendable {
    /// JSON Lines, as each run ends.
    var report: String?
    var junit: String?
    var page: String?
    var forGitHub: Bool
    /// JSON Lines on standard output instead of text.
    var isJSON: Bool
    var isQuiet: Bool

    init(_ invocation: Invocation) {
        report = invocation.value("report")
        junit = invocation.value("junit")
        page = invocation.value("html")
        forGitHub = invocation.has("github") || GitHubJob.isHere
        isJSON = invocation.has("json")
        isQuiet = invocation.has("quiet")
    }
}
