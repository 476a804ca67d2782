package import HTTPWire
package import ResumableClient

/// What somebody asked for: a transfer with all that it may and must do.
///
/// A value that can be written to a file and read by another process.
package struct TransferDescription: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case download
        case upload(UploadChoices)
    }

    package var kind: Kind
    /// The URL of the object, or the target of the upload.
    package var address: HTTPURL
    /// The final name of a download (`-` is standard output), or the source of an upload.
    package var file: String
    /// Request fields of the user.
    package var fields: HeaderFields = [:]
    /// The digest that the whole must have; uploads send it along.
    package var sha256: [UInt8]?
    /// Content that comes in a coding, though none was asked for, is stored as it comes.
    package var keepsCoding = false
    package var connection = ConnectionSettings()
    package var retry = RetryPolicy.foreground
    /// Its earliest begin is left out: see `notBefore`.
    package var path = PathPolicy()
    /// In seconds since 1970.
    package var notBefore: Int64?
    /// The socket or file that tells the path's status.
    package var pathSource: String?
    /// Fixes all delays that are random.
    package var seed: UInt64 = 0

    package init(_ kind: Kind, _ address: HTTPURL, file: String) {
        self.kind = kind
        self.address = address
        self.file = file
    }

    package var isUpload: Bool {
        if case .upload = kind { return true }
        return false
    }

    /// The form in which the file of an upload goes.
    package var form: FormChoice? {
        guard case .upload(let choices) = kind else { return nil }
        return choices.form
    }

    /// Whether the bytes go to standard output, where none can be taken back.
    package var isToStandardOutput: Bool { !isUpload && file == "-" }

    /// How much is known to be sent and received, for the order of transfers and for reports.
    package var expectedBytes: UInt64? { path.expectedBytesToReceive ?? path.expectedBytesToSend }
}

/// What only uploads have.
package struct UploadChoices: Hashable, Sendable {
    /// Which protocol to speak.
    package enum ProtocolChoice: Hashable, Sendable {
        case known(UploadPlan.Dialect)
        /// `OPTIONS` tells: tus, else the IETF protocol, which becomes a plain upload where the
        /// server does not know it.
        case asked
    }

    package var choice = ProtocolChoice.known(.ietf(.v6))
    package var method = "POST"
    package var creation = UploadPlan.Creation.optimistic
    package var appendSize: UInt64?
    package var digestsAppends = false
    package var metadata: [HeaderFields.Field] = []
    package var wantsResponse = false
    /// The file goes as a part of a form; nil for the file alone.
    package var form: FormChoice?

    package init() {}
}

/// A form of HTML in which a file is sent.
package struct FormChoice: Hashable, Sendable {
    /// Of the part that is the file.
    package var name: String
    /// The other parts, which come before it.
    package var fields: [HeaderFields.Field] = []

    package init(_ name: String) { self.name = name }
}

/// How connections are made.
package struct ConnectionSettings: Hashable, Sendable {
    /// A PEM file of authorities to trust beside the system's.
    package var authorities: String?
    /// Any certificate will do.
    package var isUnverified = false
    /// Whether HTTP/2 is not offered to servers.
    package var isHTTP1Only = false
    /// Connect here, whatever the URL's host.
    package var unixSocket: String?

    package init() {}
}
