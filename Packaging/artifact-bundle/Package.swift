// swift-tools-version: 5.9
import PackageDescription

// `swift package linkcond ...` in any package that depends on this one.
let package = Package(
    name: "linkcond-plugin",
    products: [.plugin(name: "linkcond", targets: ["LinkcondCommand"])],
    targets: [
        .plugin(
            name: "LinkcondCommand",
            capability: .command(
                intent: .custom(verb: "linkcond", description: "Run a command on a bad network")
            ),
            dependencies: ["linkcond"]
        ),
        .binaryTarget(name: "linkcond", path: "linkcond.artifactbundle"),
    ]
)
