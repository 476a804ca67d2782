internal import SystemIO

/// Where configuration is looked for.
package enum ConfigurationFiles {
    static let projectName = "linkcond.yaml"

    /// The files that are there, the one that counts most first.
    package static func paths(
        environment: (String) -> String?,
        currentDirectory: String
    ) -> [String] {
        var paths: [String] = []
        if let project = projectFolder(from: currentDirectory) {
            // Nobody wants to read a long path to the folder they are in.
            let isHere = project == currentDirectory
            paths.append(isHere ? projectName : "\(project)/\(projectName)")
        }
        if let user = userFolder(environment) { paths.append("\(user)/linkcond/config.yaml") }
        paths.append("/etc/linkcond/config.yaml")
        return paths.filter(isThere)
    }

    /// A folder of this name counts, too: it cannot be read, and that is said.
    private static func isThere(_ path: String) -> Bool {
        FileSystem.isFile(path) || FileSystem.isDirectory(path)
    }

    /// The nearest folder upwards with a `linkcond.yaml`, no further than the repository's root.
    ///
    /// Outside a repository it is the working folder or none: above it may be folders in which
    /// others can write, such as /tmp.
    package static func projectFolder(from start: String) -> String? {
        var folder = start
        var nearest: String?
        while true {
            if nearest == nil, isThere("\(folder)/\(projectName)") { nearest = folder }
            // A work tree of git has a file there, not a folder.
            if FileSystem.isDirectory("\(folder)/.git") || FileSystem.isFile("\(folder)/.git") {
                return nearest
            }
            guard folder != "/", let slash = folder.lastIndex(of: "/") else {
                return nearest == start ? start : nil
            }
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
    }

    /// XDG Base Directory Specification: a relative path is ignored.
    package static func userFolder(_ environment: (String) -> String?) -> String? {
        if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return "\(home)/.config"
    }
}
