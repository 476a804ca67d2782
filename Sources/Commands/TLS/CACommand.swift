internal import Arguments
internal import SystemIO
internal import Trials

/// `linkcond ca`: the authority by which TLS is opened by hand.
struct CACommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let store = try AuthorityStore()
        switch invocation.path.last {
        case "create": try create(store, isForced: invocation.has("force"))
        case "path": try console.write([try existing(store).certificatePath])
        case "env": try console.write(try environment(try existing(store)))
        case "install-hints": try console.write(hints(try existing(store)))
        default: try show(store)
        }
        return .success
    }

    private func create(_ store: AuthorityStore, isForced: Bool) throws(Failure) {
        guard isForced || FileSystem.identity(of: store.authorityPath) == nil else {
            throw Failure(
                .usage,
                "there is an authority already, '\(store.certificatePath)'; --force replaces it, and"
                    + " clients that trust it must trust the new one"
            )
        }
        _ = try store.create()
        try console.write([store.certificatePath])
    }

    private func existing(_ store: AuthorityStore) throws(Failure) -> AuthorityStore {
        guard try store.existing() != nil else {
            throw Failure(
                .inputMissing,
                "there is no authority yet; make one with 'linkcond ca create'"
            )
        }
        return store
    }

    private func show(_ store: AuthorityStore) throws(Failure) {
        let path = try existing(store).certificatePath
        let text: [UInt8]
        do throws(SystemError) {
            text = try FileSystem.read(path, limit: 65_536)
        } catch {
            throw Failure(.inputMissing, "cannot read '\(path)': \(error)")
        }
        try console.write(bytes: text)
    }

    private func environment(_ store: AuthorityStore) throws(Failure) -> [String] {
        let bundle = try store.writeBundle()
        return TrustEnvironment.variables(certificate: store.certificatePath, bundle: bundle).map {
            name,
            value in
            "export \(ShellText.line(["\(name)=\(value)"]))"
        }
    }

    private func hints(_ store: AuthorityStore) -> [String] {
        let path = ShellText.line([store.certificatePath])
        return [
            "curl            curl --cacert \(path) URL",
            "this shell      eval \"$(linkcond ca env)\"",
            "Debian, Ubuntu  sudo cp \(path) /usr/local/share/ca-certificates/linkcond.crt &&"
                + " sudo update-ca-certificates",
            "Fedora          sudo trust anchor \(path)",
            "Firefox, NSS    certutil -A -n linkcond -t C,, -i \(path) -d sql:PROFILE",
            "Java            keytool -importcert -noprompt -alias linkcond -file \(path)"
                + " -keystore trust.p12 -storepass changeit",
            "iOS simulator   xcrun simctl keychain booted add-root-cert \(path)",
            "macOS           security add-trusted-cert -p ssl -k login.keychain \(path)",
            "",
            "Remove it when you are done: anyone who has its key can impersonate any server.",
        ]
    }
}
