// swift-tools-version: 6.2
import PackageDescription

/// One set of settings for every Swift target: the strictest the toolchain has.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Debian's C libraries are linked statically, so that the release is one file.
let libuv: [LinkerSetting] = [
    .linkedLibrary(":libuv_a.a"), .linkedLibrary("dl"), .linkedLibrary("pthread"),
    .linkedLibrary("rt"),
]
let libyaml: [LinkerSetting] = [.linkedLibrary(":libyaml.a")]
let openSSL: [LinkerSetting] = [.linkedLibrary(":libssl.a"), .linkedLibrary(":libcrypto.a")]

func module(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    resources: [Resource] = [],
    linker: [LinkerSetting] = []
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        resources: resources,
        swiftSettings: strict,
        linkerSettings: linker
    )
}

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    resources: [Resource] = [],
    exclude: [String] = []
) -> Target {
    tests(name, of: name, dependencies, resources: resources, exclude: exclude)
}

func tests(
    _ name: String,
    of subject: String?,
    _ dependencies: [Target.Dependency] = [],
    resources: [Resource] = [],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: (subject.map { [.byName(name: $0)] } ?? []) + dependencies,
        exclude: exclude,
        resources: resources,
        swiftSettings: strict
    )
}

let package = Package(
    name: "linkcond",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "linkcond", targets: ["linkcond"]),
        .library(name: "LinkTransfer", targets: ["LinkTransfer"]),
        .library(name: "LinkcondTesting", targets: ["LinkcondTesting"]),
    ],
    targets: [
        .systemLibrary(name: "CLibuv", path: "Sources/CLibuv"),
        .systemLibrary(name: "CYAML", path: "Sources/CYAML"),
        .systemLibrary(name: "COpenSSL", path: "Sources/COpenSSL"),

        module("LinkEngine"),
        module("Toxics", ["LinkEngine"]),
        module("Journal"),
        module("FaultInjection", ["HTTPWire", "LinkEngine"]),
        .target(
            name: "Profiles",
            path: "Profiles",
            exclude: ["README.md"],
            resources: [.embedInCode("builtin")],
            swiftSettings: strict
        ),
        module(
            "LinkProfile",
            ["LinkEngine", "FaultInjection", "Profiles", "CYAML"],
            linker: libyaml
        ),
        module("Libuv", ["CLibuv", "COpenSSL"], linker: libuv + openSSL),
        module(
            "Proxy",
            [
                "LinkEngine", "Toxics", "FaultInjection", "HTTPWire", "LinkProfile", "Journal",
                "Libuv",
            ]
        ),
        module("HTTPWire"),
        module("ResumableUpload", ["HTTPWire"]),
        module("Analysis", ["Journal", "HTTPWire"]),
        module("HTTPTransport", ["HTTPWire", "Libuv"]),
        module(
            "Transfer",
            ["ResumableUpload", "HTTPTransport", "HTTPWire", "Libuv", "LinkEngine", "Journal"]
        ),
        module(
            "ControlAPI",
            [
                "HTTPTransport", "HTTPWire", "Proxy", "Toxics", "LinkProfile", "LinkEngine",
                "FaultInjection", "Journal", "Analysis", "Libuv",
            ],
            resources: [.embedInCode("Page/Resources")]
        ),
        module(
            "Exploration",
            [
                "Proxy", "Analysis", "FaultInjection", "Journal", "Libuv", "LinkEngine",
                "LinkProfile", "HTTPWire", "HTTPTransport", "Transfer", "ResumableUpload",
            ]
        ),
        module(
            "CommandLineTool",
            [
                "LinkEngine", "FaultInjection", "LinkProfile", "Profiles", "Journal", "Libuv",
                "Proxy", "HTTPWire", "HTTPTransport", "ResumableUpload", "Transfer", "Exploration",
                "Analysis", "ControlAPI",
            ]
        ),
        module(
            "LinkcondTesting",
            [
                "Exploration", "Analysis", "FaultInjection", "Journal", "Libuv", "LinkProfile",
                "Proxy", "Transfer",
            ]
        ),
        module("LinkTransfer", ["Transfer", "ResumableUpload", "HTTPWire", "Libuv"]),
        .executableTarget(
            name: "linkcond",
            dependencies: ["CommandLineTool"],
            swiftSettings: strict
        ),

        tests("LinkEngine", exclude: ["Reference"]),
        tests("Toxics", ["LinkEngine"]),
        tests("Journal"),
        tests("FaultInjection", ["HTTPWire", "LinkEngine"]),
        tests("LinkProfile", ["LinkEngine", "FaultInjection", "Profiles"]),
        // What several tests use.
        .target(
            name: "TestSupport",
            dependencies: ["Libuv"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        tests("Libuv", ["TestSupport"]),
        tests(
            "Proxy",
            [
                "LinkEngine", "Toxics", "FaultInjection", "HTTPWire", "LinkProfile", "Journal",
                "Libuv",
            ]
        ),
        tests("HTTPWire"),
        tests("ResumableUpload", ["HTTPWire"]),
        tests("Analysis", ["Journal"]),
        tests("HTTPTransport", ["HTTPWire", "Libuv", "TestSupport"]),
        tests(
            "Transfer",
            [
                "ResumableUpload", "HTTPTransport", "HTTPWire", "Libuv", "LinkEngine", "Journal",
                "TestSupport",
            ]
        ),
        tests(
            "ControlAPI",
            [
                "HTTPTransport", "HTTPWire", "Proxy", "Toxics", "LinkProfile", "LinkEngine",
                "FaultInjection", "Journal", "Analysis", "Libuv", "TestSupport",
            ]
        ),
        tests(
            "Exploration",
            [
                "Proxy", "Analysis", "FaultInjection", "Journal", "Libuv", "LinkEngine",
                "LinkProfile", "HTTPWire", "HTTPTransport", "Transfer", "ResumableUpload",
            ]
        ),
        tests(
            "CommandLineTool",
            [
                "LinkEngine", "FaultInjection", "LinkProfile", "Journal", "HTTPWire", "Libuv",
                "ResumableUpload", "Transfer", "Exploration", "Analysis", "Proxy",
            ]
        ),
        tests("LinkcondTesting"),
        tests("LinkTransfer", ["HTTPTransport", "HTTPWire", "Libuv", "TestSupport"]),
        // Runs the built program as a user does.
        tests("EndToEnd", of: "linkcond", ["HTTPWire", "Libuv", "Transfer"]),
        // Reads the repository itself.
        tests("Tidy", of: nil),
    ],
    swiftLanguageModes: [.v6]
)

/// Fuzz targets see what `package` shows and need the whole build instrumented, so they are part of
/// the package only for `Fuzz/run`, which sets this variable.
if Context.environment["LINKCOND_FUZZ"] != nil {
    func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: "Fuzz\(name)",
            dependencies: ["FuzzSupport"] + dependencies,
            path: "Fuzz/\(name)/Source",
            swiftSettings: strict
        )
    }
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
        .target(
            name: "FuzzSupport",
            dependencies: ["CLibFuzzer"],
            path: "Fuzz/FuzzSupport",
            swiftSettings: strict
        ),
        fuzzer("ProfileText", ["LinkProfile"]),
        fuzzer("Schedule", ["FaultInjection", "LinkEngine"]),
        fuzzer("JournalText", ["Journal"]),
        fuzzer("LinkOperations", ["LinkEngine"]),
        fuzzer("HTTPMessage", ["HTTPWire"]),
        fuzzer("StructuredField", ["HTTPWire"]),
        fuzzer("FieldValue", ["HTTPWire"]),
        fuzzer("ResumeFile", ["Transfer", "ResumableUpload", "HTTPWire"]),
        fuzzer("UploadMetadata", ["Transfer", "ResumableUpload"]),
        fuzzer("Misbehaviour", ["ResumableUpload"]),
        fuzzer("HTTPTap", ["HTTPWire"]),
        fuzzer("ControlRequest", ["ControlAPI", "HTTPWire", "LinkProfile", "Libuv", "Proxy"]),
        fuzzer("ToxiproxyBody", ["ControlAPI", "Toxics", "LinkEngine"]),
        .executableTarget(
            name: "TapTrace",
            dependencies: ["HTTPWire"],
            path: "Fuzz/Differential/TapTrace",
            swiftSettings: strict
        ),
    ]
}

/// Benchmarks are built only where they are asked for.
if Context.environment["LINKCOND_BENCH"] != nil {
    package.targets += [
        .executableTarget(
            name: "EngineBench",
            dependencies: ["LinkEngine"],
            path: "Benchmarks/EngineBench",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ExploreBench",
            dependencies: ["LinkcondTesting", "Transfer", "Libuv"],
            path: "Benchmarks/ExploreBench",
            swiftSettings: strict
        ),
    ]
}

/// A part of the package, to work on a module without building the rest:
/// `LINKCOND_ONLY=HTTPWire,Journal` keeps these modules, their tests, and what both need.
if let only = Context.environment["LINKCOND_ONLY"] {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var wanted = only.split(separator: ",").flatMap { ["\($0)", "\($0)Tests"] }
    var kept: Set<String> = []
    while let name = wanted.popLast() {
        guard let target = targets[name], kept.insert(name).inserted else { continue }
        for case .byNameItem(let dependency, _) in target.dependencies { wanted.append(dependency) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll()
}
