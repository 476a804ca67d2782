/// Which tests hold a source file that has no test file of its own name.
///
/// A new source file gets tests of its name, or a place here.
enum TestPairs {
    /// A test file below `Tests`, and the files of `Sources/MODULE` that it holds.
    struct Entry: Sendable {
        var tests: String
        var module: String
        var sources: String

        var names: [String] { sources.split(separator: " ").map(String.init) }
    }

    static let entries: [Entry] = [
        .init(
            tests: "CommandLineToolTests/RunOptionsTests",
            module: "CommandLineTool",
            sources: "ServerOptions"
        ),
        .init(
            tests: "ProxyTests/LiveTests",
            module: "Proxy",
            sources: "LiveConditions LiveSelection"
        ),
        .init(tests: "JournalTests/JournalRecordTests", module: "Journal", sources: "ChangeReport"),
        .init(
            tests: "AnalysisTests/Exports/HARDocumentTests",
            module: "Analysis",
            sources: "HARClock HAREntry"
        ),
        .init(
            tests: "AnalysisTests/Exports/Packets/PacketCaptureTests",
            module: "Analysis",
            sources: "FaultPlaces PacketCaptureWriter StreamPiece StreamSegments"
                + " SyntheticConnection SyntheticPacket"
        ),
        // Requests are read and answered together.
        .init(
            tests: "ControlAPITests/Native/NativeAPITests",
            module: "ControlAPI",
            sources: "ProfileDocument ProfileProblem RequestQuery ServerSentEvents"
        ),
        .init(
            tests: "ControlAPITests/Native/MeterTests",
            module: "ControlAPI",
            sources: "LoopLagMeter"
        ),
        .init(
            tests: "ControlAPITests/Proxies/ProxyFleetTests",
            module: "ControlAPI",
            sources: "LeavingProxies ProxyOrder SteeredProxy"
        ),
        .init(
            tests: "ControlAPITests/Native/MeterTests",
            module: "Proxy",
            sources: "BudgetStatus LinkMeter"
        ),
        .init(
            tests: "EndToEndTests/SteeringTests",
            module: "ControlAPI",
            sources: "SessionProfile"
        ),
        .init(
            tests: "EndToEndTests/SteeringTests",
            module: "CommandLineTool",
            sources: "ProxyReproduction"
        ),
        .init(
            tests: "ControlAPITests/Native/PathKeeperTests",
            module: "ControlAPI",
            sources: "PathState"
        ),
        // What a control server does is seen from its clients.
        .init(
            tests: "ControlAPITests/Administration/ControlServerTests",
            module: "ControlAPI",
            sources: "ControlAnswer ControlLimits ControlRequest EventFeed PendingAnswer"
        ),
        .init(
            tests: "ControlAPITests/Page/DashboardTests",
            module: "ControlAPI",
            sources: "LoginSessions"
        ),
        .init(
            tests: "CommandLineToolTests/RunReportJSONTests",
            module: "Analysis",
            sources: "ReportDocument"
        ),
        // Toxics are seen through what a chain of them does.
        .init(
            tests: "ToxicsTests/ToxicActionTests",
            module: "Toxics",
            sources: """
                LatencyStage BandwidthStage SlowCloseStage TimeoutStage ResetPeerStage SlicerStage \
                LimitDataStage ToxicPiece ToxicStage
                """
        ),
        .init(tests: "ProxyTests/ToxicTests", module: "Proxy", sources: "ToxicFlow"),
        // The words of the Toxiproxy API are requests and answers.
        .init(
            tests: "ControlAPITests/Toxiproxy/ToxiproxyTableTests",
            module: "ControlAPI",
            sources: """
                LenientJSON OrderedJSON ListenText NamedProxy RegisteredToxic ToxicFields ToxicType \
                ToxiproxyAPI ToxiproxyAccess ToxiproxyAnswer ToxiproxyError ToxiproxyMetrics \
                ToxiproxyRegistry ToxiproxyRoute ToxiproxyServer
                """
        ),
        .init(
            tests: "EndToEndTests/ToxiproxyTests",
            module: "CommandLineTool",
            sources: "ToxiproxyCommand ToxiproxyLog ToxiproxyOptions ToxiproxyRun"
        ),
        .init(
            tests: "EndToEndTests/ToxiproxyTests",
            module: "ControlAPI",
            sources: "ToxiproxyFile"
        ),
        // The tap is seen through its events.
        .init(
            tests: "HTTPWireTests/Tap/HTTPTapTests",
            module: "HTTPWire",
            sources: "TapEvent OpaqueReason OpenExchanges MessageFollower RequestTap ResponseTap"
        ),
        // Parsing, help, man page and completions come from one table and are tested with it.
        .init(
            tests: "CommandLineToolTests/CommandTableTests",
            module: "CommandLineTool",
            sources: """
                CommandSpecification HelpTopic ExitCode HelpText ManualPage Completions BashCompletion \
                ZshCompletion FishCompletion
                """
        ),
        // What a journal holds and how it is written and read belong together.
        .init(
            tests: "JournalTests/JournalRecordTests",
            module: "Journal",
            sources: "MessageReports RunReports"
        ),
        .init(
            tests: "JournalTests/RedactionTests",
            module: "Journal",
            sources: "ReportedFields"
        ),
        .init(
            tests: "CommandLineToolTests/RunReportTextTests",
            module: "CommandLineTool",
            sources: "LadderText AttemptWords JudgedRun"
        ),
        .init(
            tests: "CommandLineToolTests/RunReportPageTests",
            module: "CommandLineTool",
            sources: "RunReportSection LadderDrawing WaterfallDrawing PageStyle"
        ),
        .init(
            tests: "EndToEndTests/ReportTests",
            module: "CommandLineTool",
            sources: "ReportCommand"
        ),
        .init(
            tests: "AnalysisTests/TranscriptTests",
            module: "Analysis",
            sources: "Timed ConnectionTrace Exchange FieldValues"
        ),
        // What an attempt is shows in the transfers that are made of attempts.
        .init(
            tests: "AnalysisTests/TransferReaderTests",
            module: "Analysis",
            sources: "Attempt Transfer"
        ),
        .init(
            tests: "AnalysisTests/RunReportTests",
            module: "Analysis",
            sources: "Check CheckResult CheckContext Evidence Finding"
        ),
        .init(
            tests: "AnalysisTests/ExpectationTests",
            module: "Analysis",
            sources: "ExpectationParser"
        ),
        .init(
            tests: "CommandLineToolTests/ArgumentParserTests",
            module: "CommandLineTool",
            sources: "Invocation OptionOrigin"
        ),
        .init(
            tests: "CommandLineToolTests/ConfigurationTests",
            module: "CommandLineTool",
            sources: "ConfigurationReader ConfigurationSchema"
        ),
        .init(
            tests: "EndToEndTests/ConfigurationFileTests",
            module: "CommandLineTool",
            sources: "ConfigurationFiles"
        ),
        .init(
            tests: "EndToEndTests/ServiceTests",
            module: "CommandLineTool",
            sources: "ServiceNotifier"
        ),
        .init(tests: "EndToEndTests/ServiceTests", module: "Libuv", sources: "ServiceManager"),
        .init(
            tests: "CommandLineToolTests/OutputTests",
            module: "CommandLineTool",
            sources: "TextLayout TextStyle"
        ),
        .init(
            tests: "CommandLineToolTests/LiveFrameTests",
            module: "CommandLineTool",
            sources: "LiveState StyledLine ConnectionColumns"
        ),
        .init(
            tests: "CommandLineToolTests/LiveControlsTests",
            module: "CommandLineTool",
            sources: "LiveKey LiveCommand"
        ),
        .init(
            tests: "EndToEndTests/TopTests",
            module: "CommandLineTool",
            sources: "ControlClient ControlFailure JSONMembers LiveRun TopCommand TopRun"
        ),
        .init(
            tests: "CommandLineToolTests/PredictorTests",
            module: "CommandLineTool",
            sources: "Outlet Prediction TransferModel PacketCensus"
        ),
        .init(
            tests: "CommandLineToolTests/RunSummaryTests",
            module: "CommandLineTool",
            sources: "MeteredText RunDescription RunTally"
        ),
        .init(
            tests: "EndToEndTests/ReferenceTests",
            module: "CommandLineTool",
            sources: "CommandLineTool Console Dispatcher Version PlanCommand"
        ),
        .init(
            tests: "EndToEndTests/ProfileFileTests",
            module: "CommandLineTool",
            sources: """
                ProfileCatalog ProfileComments ProfileJSON ProfileTable ProfilesCommand PacketLogFile \
                PlanJSON
                """
        ),
        .init(
            tests: "EndToEndTests/FaultAndJournalTests",
            module: "CommandLineTool",
            sources: "JournalCommand JournalInput"
        ),
        .init(
            tests: "EndToEndTests/ProxyTests",
            module: "CommandLineTool",
            sources: "DryRun ProxyCommand ProxyRun"
        ),
        .init(tests: "EndToEndTests/ProxyTests", module: "linkcond", sources: "main"),
        .init(
            tests: "EndToEndTests/RunTests",
            module: "CommandLineTool",
            sources: "BaseCheck CommandRun ReplaySource"
        ),
        .init(
            tests: "CommandLineToolTests/RunOptionsTests",
            module: "CommandLineTool",
            sources: "OracleOptions RunCommand RunPlan"
        ),
        .init(
            tests: "CommandLineToolTests/RunJudgementTests",
            module: "CommandLineTool",
            sources: "RunDemands"
        ),
        .init(
            tests: "LinkcondTestingTests/LinkcondTraitTests",
            module: "LinkcondTesting",
            sources: """
                Linkcond LinkcondExploration LinkcondOptions ProfileFiles TaskClient \
                TestExploration TestNetwork TestReport TestSandbox
                """
        ),
        .init(
            tests: "EndToEndTests/OriginTests",
            module: "CommandLineTool",
            sources:
                "EndSignals OriginCommand OriginRun OriginDescription OriginProgress OutputPlace"
        ),
        .init(
            tests: "TransferTests/Origin/UploadServiceTests",
            module: "Transfer",
            sources: """
                BodyPipe OriginConfiguration OriginExchange OriginServer Receipt ServerAnswer \
                StateReporter UploadDriver
                """
        ),
        .init(
            tests: "TransferTests/Origin/PlainUploadTests",
            module: "Transfer",
            sources: "FormReception PlainReception"
        ),
        .init(
            tests: "TransferTests/Origin/DownloadTests",
            module: "Transfer",
            sources: """
                ContentTags ContentType FolderListing ObjectPolicy ObjectService ObjectSource \
                ObjectTally OriginObject SyntheticObject
                """
        ),
        .init(
            tests: "TransferTests/Origin/MisbehaviourTests",
            module: "Transfer",
            sources: "MisbehaviourText PlannedFaults"
        ),
        .init(
            tests: "TransferTests/Origin/OriginSecurityTests",
            module: "Transfer",
            sources: "BrowserGuard ControlService OriginLimits"
        ),
        .init(
            tests: "TransferTests/Origin/DiskUploadStoreTests",
            module: "Transfer",
            sources: "CommitMode FileCopy FileDigests UploadStore"
        ),
        .init(
            tests: "TransferTests/Origin/JSONValueCodingTests",
            module: "Transfer",
            sources: "JSONValueDecoder JSONValueEncoder"
        ),
        .init(
            tests: "CommandLineToolTests/TransferOptionsTests",
            module: "CommandLineTool",
            sources: "RequestFieldOptions"
        ),
        .init(
            tests: "CommandLineToolTests/TransferDisplayTests",
            module: "CommandLineTool",
            sources: "RateMeter"
        ),
        .init(
            tests: "CommandLineToolTests/TransferSummaryTests",
            module: "CommandLineTool",
            sources: "TransferLog"
        ),
        .init(
            tests: "EndToEndTests/DownloadTests",
            module: "CommandLineTool",
            sources: "TransferCommand TransferRun ProgressScreen"
        ),
        .init(tests: "EndToEndTests/UploadTests", module: "Libuv", sources: "StandardInput"),
        .init(
            tests: "EndToEndTests/BackgroundTransferTests",
            module: "CommandLineTool",
            sources: """
                AttachCommand AttachScreen BackgroundPlace BackgroundStart BackgroundWorker SteeringCommand \
                TransfersCommand PathReporter
                """
        ),
        .init(
            tests: "LibuvTests/LoopThreadTests",
            module: "Libuv",
            sources: "Locked DetachedThread"
        ),
        .init(
            tests: "LinkTransferTests/TransferClientTests",
            module: "LinkTransfer",
            sources: "Conversions LoopTransfers RunningTransfer TransferOptions TransferValues"
        ),
        .init(
            tests: "TransferTests/Client/BackgroundStateTests",
            module: "Transfer",
            sources: "EventReader EventWriter TransferFolder TransferRegistry"
        ),
        .init(
            tests: "TransferTests/Client/DescriptionTextTests",
            module: "Transfer",
            sources: """
                FieldsText HexadecimalText ObjectReader ProtocolName TransferDescription
                """
        ),
        .init(
            tests: "TransferTests/Client/ResumeFileTests",
            module: "Transfer",
            sources: "FilePlace ResumeStore"
        ),
        .init(
            tests: "TransferTests/Client/ClientDownloadTests",
            module: "Transfer",
            sources: """
                ClientContext ClientMachine ClientTransfer DigestComputation Exchange PartialFile \
                ResumeKeeper StandardOutputTarget
                """
        ),
        .init(
            tests: "TransferTests/Client/ClientUploadTests",
            module: "Transfer",
            sources: "UploadAnswer UploadSource"
        ),
        .init(
            tests: "TransferTests/Client/ClientRandomTests",
            module: "Transfer",
            sources: "DownloadBody"
        ),
        .init(
            tests: "TransferTests/Client/RecordTextTests",
            module: "Transfer",
            sources: "ProgressThrottle RecordReading TransferRecord TransferStatistics"
        ),
        .init(
            tests: "TransferTests/Client/PathWatcherTests",
            module: "Transfer",
            sources: "LineSplitter PathPublisher PathStatusText"
        ),
        .init(
            tests: "EndToEndTests/EndingTests",
            module: "Libuv",
            sources: "CurrentProcess Terminal SignalWatcher"
        ),

        .init(
            tests: "FaultInjectionTests/FaultParserTests",
            module: "FaultInjection",
            sources: "Fault FaultScanner ScheduleError"
        ),
        .init(
            tests: "FaultInjectionTests/RequestAddressTests",
            module: "FaultInjection",
            sources: "FaultAddress Anchor Effect FaultOptions FaultRules"
        ),
        .init(
            tests: "ProxyTests/MessageFaultTests",
            module: "Proxy",
            sources: "ActingFault"
        ),
        .init(tests: "ProxyTests/MessageRecordTests", module: "Proxy", sources: "MessageDesk"),
        .init(
            tests: "ProxyTests/ConnectFaultTests",
            module: "Proxy",
            sources: "SilentConnection EarlyResets"
        ),
        .init(
            tests: "FaultInjectionTests/Messages/MessageGateTests",
            module: "FaultInjection",
            sources: """
                AnchorResolver MessageExchange MessageLane MessageNote MessageTrack RequestChooser \
                RequestPlan TapEvent
                """
        ),
        .init(
            tests: "FaultInjectionTests/Messages/MessageEffectTests",
            module: "FaultInjection",
            sources: "InjectedMessage RequestFault"
        ),
        .init(
            tests: "HTTPWireTests/StructuredFieldParserTests",
            module: "HTTPWire",
            sources: "CharacterClasses FieldScanner StructuredField StructuredValue"
        ),
        .init(
            tests: "HTTPWireTests/HTTPDateTests",
            module: "HTTPWire",
            sources: "CivilDate HTTPDateParser"
        ),
        .init(
            tests: "HTTPWireTests/MessageHeadTests",
            module: "HTTPWire",
            sources: "MessageEvent ReasonPhrase"
        ),
        .init(
            tests: "HTTPWireTests/HTTPURLTests",
            module: "HTTPWire",
            sources: "IPv6Address"
        ),
        .init(
            tests: "HTTPWireTests/RequestParserTests",
            module: "HTTPWire",
            sources: "BodyReader ChunkLine FieldBlock HeadReader HostField LineBuffer StartLine"
        ),
        .init(
            tests: "HTTPWireTests/MediaTypeTests",
            module: "HTTPWire",
            sources: "FieldParameters"
        ),

        .init(
            tests: "HTTPTransportTests/HTTPServerTests",
            module: "HTTPTransport",
            sources: """
                ByteStream ContentCollector DateField ExchangeReport MessageBody MessageReader MessageSender \
                ResponsePlan ServerConnection StreamBuffers TimeLimit
                """
        ),
        .init(
            tests: "HTTPTransportTests/HTTPClientTests",
            module: "HTTPTransport",
            sources: """
                ClientConnection ClientEndpoint ClientExchange ClientRequest ConnectAttempt \
                Connector HTTPClientSettings
                """
        ),

        .init(
            tests: "ExplorationTests/SelfTest/SelfTestTests",
            module: "Exploration",
            sources: "PlantedClient SelfTestCase SelfTestRow"
        ),
        .init(
            tests: "ExplorationTests/SelfTest/SmallClientTests",
            module: "Exploration",
            sources: """
                ClientHabits DownloadingClient PlantedBug RetryLoop SmallExchange UploadingClient
                """
        ),
        .init(
            tests: "ExplorationTests/Sandbox/OriginCrashesTests",
            module: "Transfer",
            sources: "OriginFault"
        ),
        .init(
            tests: "ExplorationTests/Sandbox/OriginCrashesTests",
            module: "Proxy",
            sources: "OriginFaults"
        ),
        .init(
            tests: "ExplorationTests/Sandbox/SandboxTests",
            module: "Exploration",
            sources: """
                CommandClient OriginAccount OriginWatch ProcessGuard RunningTrial SandboxSettings Trial TrialCommand \
                TrialOutcome
                """
        ),
        .init(
            tests: "ExplorationTests/Sandbox/OracleRunTests",
            module: "Exploration",
            sources: "FetchCheck FileComparison Oracle TrialEvidence"
        ),
        .init(
            tests: "JournalTests/JSONTests",
            module: "Journal",
            sources: "JSONLiterals JSONParser JSONValue JSONWriter"
        ),
        .init(
            tests: "JournalTests/JournalRecordTests",
            module: "Journal",
            sources: "JournalEncoding JournalFormat"
        ),

        .init(
            tests: "LibuvTests/EventLoopTests",
            module: "Libuv",
            sources: """
                Alarms Handle LoopWakeup NameResolver Poller PreciseTimer Readiness Timer \
                SystemError
                """
        ),
        .init(
            tests: "LibuvTests/SocketTests",
            module: "Libuv",
            sources: """
                ListeningPorts ListeningSocket ServerPorts Pipe SocketAddress SocketFile ByteQueue DescriptorLimit \
                TransferBuffer
                """
        ),
        .init(
            tests: "LibuvTests/FileTests",
            module: "Libuv",
            sources: "FileInformation BackgroundWork"
        ),
        .init(
            tests: "LibuvTests/DigestTests",
            module: "Libuv",
            sources: "SecureRandom WallClock"
        ),
        .init(
            tests: "LibuvTests/ChildProcessTests",
            module: "Libuv",
            sources: "ChildInput SessionActivity ProcessIdentity SpawnPlan"
        ),
        .init(
            tests: "LibuvTests/TLSSessionTests",
            module: "Libuv",
            sources: "TLSContext TLSError"
        ),
        .init(
            tests: "LibuvTests/OutputFileTests",
            module: "Libuv",
            sources: "FileErrors SHA256 LibraryVersions"
        ),

        .init(
            tests: "LinkEngineTests/LinkTests",
            module: "LinkEngine",
            sources: """
                Endpoint Handshake JitterProcess Lane LinkEvent LinkSettings OutageClock Packet \
                PacketIndex PacketLog PropagationPath ReceiveWindow RoundTripEstimator StreamState \
                TCPReceiver Units
                """
        ),
        .init(
            tests: "LinkEngineTests/FidelityTests",
            module: "LinkEngine",
            sources: "TCPSender RACK RateReduction Scoreboard"
        ),
        .init(
            tests: "LinkEngineTests/CongestionTests",
            module: "LinkEngine",
            sources: "CongestionWindow CubicCurve"
        ),
        .init(
            tests: "LinkEngineTests/ContainerTests",
            module: "LinkEngine",
            sources: "ArrivalLine EventHeap OutOfOrderQueue Ring SACKPool Scratch SegmentRanges"
        ),
        .init(
            tests: "LinkEngineTests/LossProcessTests",
            module: "LinkEngine",
            sources: "LossChain"
        ),

        .init(
            tests: "LinkProfileTests/ProfileSchemaTests",
            module: "LinkProfile",
            sources: """
                Keywords LayerReader LinkReader LossReader OutageReader PacketCount \
                ParameterDeclaration ParameterKind ParameterResolver PathValueReader Profile \
                ProfileLayer ProfileLibrary ProfileLimits ProfileResolver ProfileSetting TraceReader \
                ValueReader MahimahiTrace
                """
        ),
        .init(
            tests: "LinkProfileTests/HostileTextTests",
            module: "LinkProfile",
            sources: "Node YAMLReader"
        ),
        .init(
            tests: "LinkProfileTests/BuiltinProfileTests",
            module: "Profiles",
            sources: "Profiles"
        ),

        // The client's machines are tested by what they ask for, not part by part.
        .init(
            tests: "ResumableUploadTests/Client/UploadMachineTests",
            module: "ResumableUpload",
            sources: """
                AnnouncedLimits CarriedFields HeaderFields Pacing RedirectLimits TransferAction \
                TransferFailure TransferProgress TransferRequest UploadPlan UploadReply UploadStep
                """
        ),
        .init(
            tests: "ResumableUploadTests/Client/DownloadMachineTests",
            module: "ResumableUpload",
            sources: "DownloadObject DownloadPlan DownloadReply"
        ),
        .init(
            tests: "TransferTests/Client/ResumeFileTests",
            module: "ResumableUpload",
            sources: "ResumeData"
        ),
        .init(
            tests: "ResumableUploadTests/Client/RetryPolicyTests",
            module: "ResumableUpload",
            sources: "RandomDraws RetryTokens RetryTracker TransportFailure"
        ),
        .init(
            tests: "ResumableUploadTests/Client/PathPolicyTests",
            module: "ResumableUpload",
            sources: "PathStatus StartOrder"
        ),

        .init(
            tests: "ProxyTests/TransparencyTests",
            module: "Proxy",
            sources: "Connection DirectFlow DirectSession Peer PendingConnection"
        ),
        .init(
            tests: "ProxyTests/FaultTests",
            module: "Proxy",
            sources: "GatedFlow GatedSession Pair ProxyReporter"
        ),
        .init(tests: "ProxyTests/BudgetTests", module: "Proxy", sources: "BudgetKeeper RateTurns"),
        .init(tests: "ProxyTests/ReliabilityTests", module: "Proxy", sources: "LinkDriver"),
        .init(
            tests: "ProxyTests/StartTests",
            module: "Proxy",
            sources: "Listener ProxyConfiguration ProxyError ProxyServer ProxySnapshot Upstream"
        ),

        .init(
            tests: "ResumableUploadTests/Server/UploadRequestTests",
            module: "ResumableUpload",
            sources: """
                AppendRequest BodyLength CreationRequest RequestReading UploadSettings
                """
        ),
        .init(
            tests: "ResumableUploadTests/Server/UploadResourceTests",
            module: "ResumableUpload",
            sources: "Reception UploadAction"
        ),
        .init(
            tests: "ResumableUploadTests/Server/WireTableTests",
            module: "ResumableUpload",
            sources: "ProblemDocument UploadAnswer UploadRefusal WireRow"
        ),
        .init(
            tests: "ResumableUploadTests/Server/MisbehaviourParserTests",
            module: "ResumableUpload",
            sources: "MisbehaviourError"
        ),
        .init(
            tests: "ExplorationTests/FaultPlaceTests",
            module: "Exploration",
            sources: "PlannedFault Point"
        ),
        .init(
            tests: "ExplorationTests/EnumerationTests",
            module: "Exploration",
            sources: "PointEffect Series BoundaryMap"
        ),
        .init(
            tests: "ExplorationTests/JudgeTests",
            module: "Exploration",
            sources: "PointJudgement FindingClass PointOutcome"
        ),
        .init(
            tests: "ExplorationTests/ReportTests",
            module: "Exploration",
            sources: """
                ReportText ReportLines ReportReader ReportJUnit ReportGitHub ReportPage Matrix \
                MarkupText CampaignReport CampaignVerdict
                """
        ),
        .init(
            tests: "ExplorationTests/Campaign/CampaignRunnerTests",
            module: "Exploration",
            sources: "HookCommand RunFolders RunnerSettings CountedChecks TrafficReading"
        ),
        .init(
            tests: "EndToEndTests/ExploreTests",
            module: "CommandLineTool",
            sources: """
                ExploreCommand SelfTestCommand ExploreRun ExplorePlan ExploreTeller ExploreOutput FailureMemory \
                MergeCommand ReportWriter
                """
        ),
        .init(
            tests: "ExplorationTests/CampaignTests",
            module: "Exploration",
            sources: """
                CampaignSettings PointRecord RunResult PointQueue \
                SearchPlan Signature Simplicity ProtocolPositions RandomSchedules \
                RecoveryFaults BaselineReading FindingGroups Finding FindingReading \
                IntervalReading
                """
        ),
    ]

    /// Whether a place is given to the file of this module.
    static func holds(_ name: String, of module: String) -> Bool {
        entries.contains { $0.module == module && $0.names.contains(name) }
    }
}
