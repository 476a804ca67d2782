/// Variables by which programs are told whom to trust.
package enum TrustEnvironment {
    /// Of programs that trust nobody else then.
    private static let replacing = [
        // OpenSSL, and with it Python's ssl, Ruby, PHP and wget.
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "GIT_SSL_CAINFO",
        "DENO_CERT", "CARGO_HTTP_CAINFO", "AWS_CA_BUNDLE", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
        "PERL_LWP_SSL_CA_FILE", "HTTPLIB2_CA_CERTS",
    ]
    /// Of programs that go on trusting the authorities they know.
    private static let adding = ["NODE_EXTRA_CA_CERTS"]

    /// - Parameters:
    ///   - certificate: a PEM file with the one authority.
    ///   - bundle: a PEM file with it and all others that are to be trusted.
    /// - Returns: the variables with their values.
    package static func variables(
        certificate: String,
        bundle: String
    ) -> [(name: String, value: String)] {
        replacing.map { ($0, bundle) } + adding.map { ($0, certificate) }
    }
}
