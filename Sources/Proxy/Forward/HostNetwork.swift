package import Basics
package import LinkProfile

/// The network of connections to some hosts, in place of the one that all others share.
package struct HostNetwork: Hashable, Sendable {
    package let hosts: HostPattern
    package let profile: Profile

    package init(_ hosts: HostPattern, _ profile: Profile) {
        self.hosts = hosts
        self.profile = profile
    }

    /// As the option that says it: `*.cdn.example=lte`.
    package var text: String { "\(hosts.canonicalText)=\(profile.name)" }

    /// This network's seed: it differs between networks of the same profile, so that they do not lose
    /// the same packets, and depends on the hosts alone, not on which other networks there are.
    func seed(_ seed: UInt64) -> UInt64 {
        AddressedRandom(seed: seed).named(hosts.canonicalText).seed
    }
}

extension [HostNetwork] {
    /// What they and the network of all other hosts are together, for a digest.
    ///
    /// - Parameters:
    ///   - profile: the network of all other hosts.
    ///   - second: the network of the second path; nil for none.
    /// - Returns: a text that is the same only where the networks are.
    package func canonicalText(with profile: Profile, second: Profile? = nil) -> String {
        let paths =
            profile.canonicalText + (second.map { "\nsecond path\n\($0.canonicalText)" } ?? "")
        return reduce(paths) {
            "\($0)\nroute \($1.hosts.canonicalText)\n\($1.profile.canonicalText)"
        }
    }
}
