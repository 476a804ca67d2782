// What others than clients of the API change.
extension NativeAPI {
    /// Takes note that somebody else let the proxy imitate another network.
    ///
    /// - Parameter reference: how the profile was asked for; no settings lie over it.
    package func follow(profileReference reference: String) {
        fleet.own.profileReference = reference
        fleet.own.settings = []
        nameFaults()
        revision += 1
    }
}
