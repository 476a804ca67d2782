internal import Basics
internal import HTTPWire
internal import SystemIO

/// The frame of a report's page, which needs nothing else and may load nothing else.
package enum HTMLPage {
    /// The most bytes of a page.
    package static let limit = 5_000_000

    /// All before the body: the policy allows the page's own style, and its script if it has one, by
    /// their digests.
    ///
    /// - Parameters:
    ///   - title: as it is, not escaped.
    ///   - hasScript: whether the page ends with `script`.
    /// - Returns: the lines.
    package static func head(title: String, hasScript: Bool) -> [String] {
        let script = hasScript ? "; script-src '\(source(PageStyle.script))'" : ""
        return [
            "<!doctype html>", "<html lang=\"en\">", "<meta charset=\"utf-8\">",
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
                + " style-src '\(source(PageStyle.style))'\(script)\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<title>\(MarkupText.escaped(title))</title>",
            "<style>\(PageStyle.style)</style>",
        ]
    }

    /// Makes the page's copy buttons work.
    package static let script = "<script>\(PageStyle.script)</script>"

    /// What a policy names an inline style or script by.
    private static func source(_ text: String) -> String {
        "sha256-\(Base64.encode(SHA256.digest(Array(text.utf8))))"
    }
}
