// swift-tools-version: 6.2
import PackageDescription

/// A package of its own that uses ResumableUploads as any other would.
let package = Package(
    name: "ResumableUploadsExample",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "linkcond", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Intake",
            dependencies: [.product(name: "ResumableUploads", package: "linkcond")]
        )
    ],
    swiftLanguageModes: [.v6]
)
