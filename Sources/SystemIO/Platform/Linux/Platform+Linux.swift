/// What this build is made for.
package enum Platform {
    /// Whether everything that only Linux has was left out.
    package static let isPortable = false

    /// How the system is called.
    package static var name: String { "Linux" }

    /// The file of this program, also after another one has taken its name; nil if it is not known.
    package static var program: String? { "/proc/self/exe" }
}
