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

/// Whether everything that only Linux has is left out: always elsewhere, and where it is asked for.
#if os(Linux)
    let isPortable = Context.environment["LINKCOND_PORTABLE"] == "1"
#else
    let isPortable = true
#endif

/// Of two folders that offer the same, the one that is left out.
let otherPlatform = isPortable ? "Platform/Linux" : "Platform/Portable"

/// Debian's C libraries are linked statically, so that the release is one file; elsewhere the ones that
/// are there.
#if os(Linux)
    let libuv: [LinkerSetting] = [
        .linkedLibrary(":libuv_a.a"), .linkedLibrary("dl"), .linkedLibrary("pthread"),
        .linkedLibrary("rt"),
    ]
    let libyaml: [LinkerSetting] = [.linkedLibrary(":libyaml.a")]
    let nghttp2: [LinkerSetting] = [.linkedLibrary(":libnghttp2.a")]
    let openSSL: [LinkerSetting] = [.linkedLibrary(":libssl.a"), .linkedLibrary(":libcrypto.a")]
    let zstandard: [LinkerSetting] = [.linkedLibrary(":libzstd.a")]
#else
    let libuv: [LinkerSetting] = [.linkedLibrary("uv")]
    let libyaml: [LinkerSetting] = [.linkedLibrary("yaml")]
    let nghttp2: [LinkerSetting] = [.linkedLibrary("nghttp2")]
    let openSSL: [LinkerSetting] = [.linkedLibrary("ssl"), .linkedLibrary("crypto")]
    let zstandard: [LinkerSetting] = [.linkedLibrary("zstd")]
#endif

/// What the release compiles for size, since no byte of traffic passes through it.
///
/// Only where it is asked for: a package that others depend on may not have such flags.
let small: [SwiftSetting] =
    Context.environment["LINKCOND_SMALL"] == nil ? [] : [.unsafeFlags(["-Osize"])]

func module(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    exclude: [String] = [],
    resources: [Resource] = [],
    linker: [LinkerSetting] = [],
    isHot: Bool = true
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        exclude: exclude,
        resources: resources,
        swiftSettings: isHot ? strict : strict + small,
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
        dependencies: (subject.map { [.byName(name: $0)] } ?? []) + ["CLibrary", "TestSupport"]
            + dependencies,
        exclude: exclude,
        resources: resources,
        swiftSettings: strict
    )
}

let package = Package(
    name: "linkcond",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "linkcond", targets: ["linkcond"]),
        .library(name: "LinkTransfer", targets: ["LinkTransfer"]),
        .library(name: "LinkcondTesting", targets: ["LinkcondTesting"]),
        .library(name: "ResumableUploads", targets: ["ResumableUploads"]),
    ],
    targets: [
        .systemLibrary(
            name: "CLibuv",
            path: "Sources/CLibuv",
            providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]
        ),
        .systemLibrary(
            name: "CYAML",
            path: "Sources/CYAML",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            path: "Sources/COpenSSL",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CNghttp2",
            path: "Sources/CNghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]
        ),
        .systemLibrary(
            name: "CZstandard",
            path: "Sources/CZstandard",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
        ),

        module("CLibrary"),
        module("Basics"),
        module("LinkEngine", ["Basics"]),
        module("HTTPWire"),
        module("HTTP2", ["HTTPWire", "CNghttp2"], linker: nghttp2),
        module("QUICWire"),
        module("DNSWire"),
        module("Journal", ["Basics"]),
        module("Toxics", ["Basics"]),
        module("Faults", ["Basics", "LinkEngine", "HTTPWire", "HTTP2", "QUICWire", "DNSWire"]),
        module("DNS", ["Basics", "DNSWire", "Faults"], isHot: false),
        module("ResumableServer", ["HTTPWire"], isHot: false),
        module("ResumableClient", ["Basics", "HTTPWire"], isHot: false),
        .target(
            name: "Profiles",
            path: "Profiles",
            exclude: ["README.md"],
            resources: [.embedInCode("builtin")],
            swiftSettings: strict
        ),
        module("YAML", ["CYAML"], linker: libyaml, isHot: false),
        module(
            "LinkProfile",
            ["Basics", "LinkEngine", "Faults", "Profiles", "YAML"],
            isHot: false
        ),
        module("Planning", ["Basics", "LinkEngine", "Faults", "LinkProfile"], isHot: false),
        module("Analysis", ["Basics", "HTTPWire", "DNSWire", "Journal", "Faults"]),
        module(
            "SystemIO",
            [
                "CLibrary", "Basics", "CLibuv", "CNghttp2", "COpenSSL", "CYAML", "CZstandard",
            ],
            exclude: [otherPlatform],
            linker: libuv + nghttp2 + openSSL + libyaml + zstandard
        ),
        module("Arguments", ["Basics", "YAML", "SystemIO"], isHot: false),
        module("NameService", ["Basics", "DNS", "SystemIO"], isHot: false),
        module("HTTPTransport", ["Basics", "HTTPWire", "HTTP2", "SystemIO"]),
        module(
            "Proxy",
            [
                "Basics", "LinkEngine", "HTTPWire", "QUICWire", "Journal", "Toxics", "Faults",
                "LinkProfile", "SystemIO",
            ]
        ),
        module(
            "Origin",
            [
                "Basics", "HTTPWire", "Journal", "ResumableServer", "SystemIO", "HTTPTransport",
            ]
        ),
        module(
            "Transfers",
            [
                "Basics", "HTTPWire", "Journal", "ResumableClient", "SystemIO", "HTTPTransport",
            ],
            isHot: false
        ),
        module(
            "Trials",
            [
                "Basics", "HTTPWire", "Journal", "DNSWire", "Faults", "DNS", "ResumableServer",
                "LinkProfile", "Analysis", "SystemIO", "NameService", "HTTPTransport", "Proxy",
                "Origin",
            ],
            isHot: false
        ),
        module("Reports", ["Basics", "HTTPWire", "SystemIO"], isHot: false),
        module(
            "Exploration",
            [
                "Basics", "LinkEngine", "HTTPWire", "HTTP2", "QUICWire", "DNSWire", "Journal",
                "Faults", "Analysis", "SystemIO", "HTTPTransport", "Proxy", "Origin", "Trials",
                "Reports",
            ],
            isHot: false
        ),
        module(
            "Conformance",
            ["Basics", "HTTPWire", "SystemIO", "HTTPTransport", "Reports"],
            isHot: false
        ),
        module(
            "ControlAPI",
            [
                "Basics", "LinkEngine", "HTTPWire", "Journal", "Faults", "YAML", "LinkProfile",
                "Analysis", "SystemIO", "HTTPTransport", "Proxy",
            ],
            resources: [.embedInCode("Page/Resources"), .embedInCode("Native/Description")],
            isHot: false
        ),
        module(
            "ToxiproxyCompatibility",
            [
                "Basics", "LinkEngine", "HTTPWire", "Journal", "Toxics", "Faults", "YAML",
                "LinkProfile", "SystemIO", "HTTPTransport", "Proxy", "ControlAPI",
            ],
            isHot: false
        ),
        module(
            "Commands",
            [
                "CLibrary", "Basics", "Arguments", "LinkEngine", "HTTPWire", "Journal", "DNSWire",
                "Faults", "DNS", "NameService",
                "ResumableServer", "ResumableClient", "Profiles", "YAML", "LinkProfile", "Planning",
                "Analysis", "SystemIO", "HTTPTransport", "Proxy", "Origin", "Transfers", "Trials",
                "Reports", "Exploration", "Conformance", "ControlAPI", "ToxiproxyCompatibility",
            ],
            resources: [.embedInCode("Help")],
            isHot: false
        ),
        module(
            "LinkTransfer",
            [
                "Basics", "HTTPWire", "Journal", "ResumableClient", "SystemIO", "Transfers",
            ]
        ),
        module("ResumableUploads", ["HTTPWire", "ResumableServer", "SystemIO", "Origin"]),
        module(
            "LinkcondTesting",
            [
                "Basics", "Journal", "Faults", "YAML", "LinkProfile", "Analysis", "SystemIO",
                "Proxy",
                "Origin", "Trials", "Exploration",
            ]
        ),
        .executableTarget(
            name: "linkcond",
            dependencies: ["Commands"],
            swiftSettings: strict
        ),

        // What several tests use.
        .target(
            name: "TestSupport",
            dependencies: ["CLibrary", "Basics", "SystemIO"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .target(
            name: "FaultSupport",
            dependencies: ["Faults", "HTTPWire", "TestSupport"],
            path: "Tests/FaultSupport",
            swiftSettings: strict
        ),
        .target(
            name: "TrialSupport",
            dependencies: ["Faults", "SystemIO", "Trials"],
            path: "Tests/TrialSupport",
            swiftSettings: strict
        ),
        tests("Basics"),
        tests("LinkEngine", ["Basics"], exclude: ["Reference"]),
        tests("HTTPWire"),
        tests("Journal", ["Basics"]),
        tests("Toxics", ["Basics"]),
        tests("HTTP2", ["HTTPWire"]),
        tests("QUICWire"),
        tests("Faults", ["Basics", "HTTPWire", "HTTP2", "QUICWire", "DNSWire", "FaultSupport"]),
        tests("DNS", ["Basics", "DNSWire", "Faults"]),
        tests("ResumableServer", ["HTTPWire"]),
        tests("ResumableClient", ["Basics", "HTTPWire"]),
        tests("LinkProfile", ["Basics", "LinkEngine", "Faults", "Profiles", "YAML"]),
        tests("Planning", ["Basics", "LinkEngine", "Faults", "LinkProfile"]),
        tests("Analysis", ["Basics", "Journal"]),
        tests("SystemIO", ["Basics"], exclude: isPortable ? ["Linux"] : []),
        tests("Arguments", ["Basics"]),
        tests("NameService", ["Basics", "DNSWire", "DNS", "Faults", "SystemIO"]),
        tests("HTTPTransport", ["Basics", "HTTPWire", "HTTP2", "SystemIO"]),
        tests(
            "Proxy",
            [
                "Basics", "LinkEngine", "HTTPWire", "HTTP2", "Journal", "Toxics", "Faults",
                "LinkProfile", "SystemIO",
            ]
        ),
        tests(
            "Origin",
            [
                "Basics", "HTTPWire", "Journal", "ResumableServer", "SystemIO", "HTTPTransport",
            ]
        ),
        tests(
            "Transfers",
            [
                "Basics", "HTTPWire", "ResumableServer", "ResumableClient", "SystemIO", "Origin",
            ]
        ),
        tests(
            "Trials",
            [
                "Basics", "Journal", "DNSWire", "Faults", "DNS", "SystemIO", "Proxy", "Origin",
                "TrialSupport",
            ]
        ),
        tests("Reports", ["Basics"]),
        tests(
            "Exploration",
            [
                "Basics", "LinkEngine", "Journal", "Faults", "LinkProfile", "Analysis", "SystemIO",
                "Proxy", "Origin", "Trials", "Reports", "TrialSupport",
            ]
        ),
        tests(
            "Conformance",
            [
                "Basics", "HTTPWire", "ResumableServer", "SystemIO", "HTTPTransport", "Origin",
            ]
        ),
        tests(
            "ControlAPI",
            [
                "Basics", "LinkEngine", "HTTPWire", "Journal", "Faults", "LinkProfile", "Analysis",
                "SystemIO", "Proxy",
            ]
        ),
        tests(
            "ToxiproxyCompatibility",
            [
                "Basics", "Journal", "LinkProfile", "SystemIO", "Proxy", "ControlAPI",
            ]
        ),
        tests(
            "Commands",
            [
                "Basics", "Arguments", "Planning", "LinkEngine", "HTTPWire", "Journal", "Faults",
                "DNS", "ResumableServer", "ResumableClient", "LinkProfile", "Analysis", "SystemIO",
                "Proxy", "Origin", "Transfers", "Trials", "Reports", "Exploration",
            ]
        ),
        tests(
            "LinkTransfer",
            ["Basics", "HTTPWire", "SystemIO", "HTTPTransport", "Transfers"]
        ),
        tests("LinkcondTesting"),
        tests("ResumableUploads", ["SystemIO"]),
        // Runs the built program as a user does.
        tests(
            "EndToEnd",
            of: "linkcond",
            ["Basics", "HTTPWire", "Journal", "SystemIO", "Origin"]
        ),
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
        fuzzer("PropertyList", ["LinkProfile"]),
        fuzzer("Schedule", ["Basics", "LinkEngine", "Faults"]),
        fuzzer("JournalText", ["Basics", "Journal"]),
        fuzzer("CompressedInput", ["SystemIO"]),
        fuzzer("LinkOperations", ["Basics", "LinkEngine"]),
        fuzzer("HTTPMessage", ["HTTPWire"]),
        fuzzer("StructuredField", ["HTTPWire"]),
        fuzzer("FieldValue", ["HTTPWire"]),
        fuzzer("ResumeFile", ["Basics", "HTTPWire", "ResumableClient", "Transfers"]),
        fuzzer("UploadMetadata", ["ResumableServer", "Origin"]),
        fuzzer("Misbehaviour", ["HTTPWire", "ResumableServer"]),
        fuzzer("HTTPTap", ["HTTPWire"]),
        fuzzer("HTTP2Streams", ["Basics", "Faults", "HTTP2"]),
        fuzzer("HTTP2Session", ["HTTP2"]),
        fuzzer("ForwardEntry", ["Proxy"]),
        fuzzer("DNSMessage", ["Basics", "DNSWire", "DNS", "Faults"]),
        fuzzer("QUICPackets", ["Basics", "Faults", "QUICWire"]),
        fuzzer("ClientHello", ["QUICWire"]),
        fuzzer("ControlRequest", ["HTTPWire", "LinkProfile", "SystemIO", "Proxy", "ControlAPI"]),
        fuzzer(
            "ToxiproxyBody",
            ["Basics", "LinkEngine", "Journal", "Toxics", "ToxiproxyCompatibility"]
        ),
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
            dependencies: ["Basics", "LinkEngine"],
            path: "Benchmarks/EngineBench",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ExploreBench",
            dependencies: ["SystemIO", "Origin", "LinkcondTesting"],
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
