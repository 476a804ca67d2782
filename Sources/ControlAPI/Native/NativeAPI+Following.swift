package import LinkProfile

// What others than clients of the API change.
extension NativeAPI {
    /// Takes note that somebody else let the proxy imitate another network.
    ///
    /// - Parameters:
    ///   - reference: how the profile was asked for.
    ///   - settings: what lies over it.
    ///   - proxy: the one; nil for the run's own.
    package func follow(
        profileReference reference: String,
        settings: [ProfileSetting] = [],
        of proxy: SteeredProxy? = nil
    ) {
        let proxy = proxy ?? fleet.own
        proxy.profileReference = reference
        proxy.settings = settings
        nameFaults()
        revision += 1
    }
}
