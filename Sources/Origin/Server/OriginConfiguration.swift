package import HTTPWire
package import ResumableServer
package import SystemIO

/// What an origin serves, takes and promises.
package struct OriginConfiguration: Sendable {
    /// Where it listens.
    package var listens: [SocketAddress] = [.loopback(port: 0)]
    /// How it speaks TLS with clients; nil to speak without.
    package var tls: TLSServerSettings?
    /// Whether it speaks HTTP/2 with clients that want it, besides HTTP/1.1.
    package var takesHTTP2 = false
    /// Whether other machines may reach it.
    package var allowsRemote = false
    /// Its files can be fetched; nil for none.
    package var folder: String?
    /// Whether uploads are kept in that folder.
    ///
    /// If not, or without one, they are in a private folder that goes with the origin; nothing is
    /// written to `folder`, and others may serve it too.
    package var keepsUploads = true
    /// Where uploads outlive this origin if they are not kept in `folder`; the next origin that is given
    /// the same folder continues them.
    package var uploadFolder: String?
    /// Where a private folder is made.
    package var temporaryFolder = "/tmp"
    package var objects = ObjectPolicy()
    package var uploads = UploadSettings()
    /// The server that complete uploads, and all other requests, go on to; nil for none.
    package private(set) var upstream: HTTPURL?
    /// Runs for each upload that is kept; nil for none.
    package var onComplete: CompletionCommand?
    /// Whether POST and PUT without a protocol for uploads are taken.
    package var takesPlainUploads = true
    /// What goes wrong on request, as `Misbehaviour(parsing:)` reads it.
    package var misbehaviour = ""
    /// What goes wrong with single objects and uploads.
    package var faults: [OriginFault] = []
    /// nil: `fsync` for uploads that are kept, `write` for others.
    package var commit: CommitMode?
    package var naming = UploadNaming.random
    package var limits = OriginLimits()
    /// Interim responses before each final answer, of 102 and 103.
    package var interims: [Int] = []

    package init() {}

    /// Stands in front of a server: uploads to any target are taken for it.
    package mutating func forward(to url: HTTPURL) {
        upstream = url
        uploads.forwards = true
        uploads.creationPrefix = "/"
        uploads.resourcePrefix = "/.uploads/"
    }
}

/// A command of the shell for each complete upload.
package struct CompletionCommand: Sendable {
    let command: String
    /// `NAME=VALUE` each, besides what the command is told of the upload.
    let environment: [String]

    package init(_ command: String, environment: [String]) {
        self.command = command
        self.environment = environment.filter { !$0.hasPrefix("LINKCOND_") }
    }
}

/// Why an origin cannot start.
package struct OriginError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The folder is missing or cannot be read.
        case folderMissing
        /// The folder cannot be written, or is in use by another origin.
        case folderUnusable
        case addressUnavailable
        /// What was asked for is not allowed as it was asked.
        case refused
        case `internal`
    }

    package let kind: Kind
    /// One line that says what to do.
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
