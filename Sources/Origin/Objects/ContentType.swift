/// Media types by the endings of names, as far as a test server needs them.
enum ContentType {
    static let binary = "application/octet-stream"

    /// The type for a file's name.
    static func of(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return binary }
        return types[name[name.index(after: dot)...].lowercased()] ?? binary
    }

    private static let types: [String: String] = [
        "avif": "image/avif", "css": "text/css; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "gif": "image/gif", "gz": "application/gzip", "htm": "text/html; charset=utf-8",
        "html": "text/html; charset=utf-8", "ico": "image/vnd.microsoft.icon",
        "ipa": "application/octet-stream", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8", "json": "application/json",
        "m3u8": "application/vnd.apple.mpegurl", "m4a": "audio/mp4", "m4s": "video/iso.segment",
        "md": "text/markdown; charset=utf-8", "mov": "video/quicktime", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "mpd": "application/dash+xml", "pdf": "application/pdf",
        "png": "image/png", "svg": "image/svg+xml", "tar": "application/x-tar",
        "ts": "video/mp2t", "txt": "text/plain; charset=utf-8", "wasm": "application/wasm",
        "webm": "video/webm", "webp": "image/webp", "woff2": "font/woff2",
        "xml": "application/xml", "zip": "application/zip", "zst": "application/zstd",
    ]
}
