// swift-tools-version: 6.2
import PackageDescription

/// A package of its own that uses LinkTransfer as any other would.
let package = Package(
    name: "LinkTransferExample",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "linkcond", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Fetch",
            dependencies: [.product(name: "LinkTransfer", package: "linkcond")]
        )
    ],
    swiftLanguageModes: [.v6]
)
