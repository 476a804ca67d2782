// swift-tools-version: 6.2
import PackageDescription

/// A package of its own that tests a client with LinkcondTesting as any other would.
let package = Package(
    name: "LinkcondTestingExample",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "linkcond", path: "../../..")],
    targets: [
        .testTarget(
            name: "DownloadTests",
            dependencies: [
                .product(name: "LinkcondTesting", package: "linkcond"),
                .product(name: "LinkTransfer", package: "linkcond"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
