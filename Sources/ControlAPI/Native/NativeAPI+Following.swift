package import LinkProfile

// What others than clients of the API change.
extension NativeAPI {
    /// Takes note that somebody else let the proxy imitate another network.
    ///
    /// - Parameters:
    ///   - reference: how the profile was asked for.
    ///   - settings: what lies over it.
    package func follow(profileReference reference: String, settings: [ProfileSetting] = []) {
        fleet.own.profileReference = reference
        fleet.own.settings = settings
        nameFaults()
        revision += 1
    }
}
