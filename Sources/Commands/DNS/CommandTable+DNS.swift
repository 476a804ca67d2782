internal import Arguments
internal import DNS
internal import Faults

extension CommandTable {
    static let dnsCommand = CommandSpecification(
        name: "dns",
        summary: "Answer name lookups, with faults: a name server to test clients with",
        details: [
            """
            A small DNS server over UDP and TCP on one port. --name maps names to addresses, such \
            as that of a proxy; queries for other names are refused, or forwarded with --upstream. \
            Each query is logged as a line on standard error.
            """,
            """
            --fault TYPE(NAME)#WHICH=EFFECT breaks answers: A(api.example.com)#1=nxdomain breaks \
            the first query for an IPv4 address, AAAA(*.test)#*=timeout all for an IPv6 address, \
            *(*)#*?10%=servfail one query in ten. WHICH counts the queries that match: 2, 1..3, *, \
            */3. Several faults may act on one answer; if several replace it, only the first does.
            """,
            """
            Effects: nxdomain, nodata (no record of this type), servfail, refused, timeout (no \
            answer), delay(2s), truncate (the client must retry over TCP), truncate(hole), \
            truncate(fin) and truncate(rst) (TCP stays silent, or the connection ends), wrong or \
            wrong(ADDRESS,...), rotate or rotate(ADDRESS,...) (one address per answer, in turn), \
            dead-first or dead-first(ADDRESS) (a dead address before all others), ttl(0), \
            cname-loop. Default addresses come from the ranges reserved for documentation, which \
            no machine uses.
            """,
            """
            With -- CMD, linkcond runs a command that asks only this server, through a private \
            resolv.conf, and exits with its exit code. That needs port 53 and a mount namespace: \
            root has them, other users only if the system allows it. All output of linkcond then \
            goes to standard error.
            """,
        ],
        examples: [
            .init(
                command: "linkcond dns --name 'api.example.com=127.0.0.1' --listen 127.0.0.1:5353",
                meaning: "one name; all others are refused"
            ),
            .init(
                command:
                    "linkcond dns --name '*.test=127.0.0.1,::1' --fault 'AAAA(*)#*=dead-first'",
                meaning: "does a client fall back to the next address?"
            ),
            .init(
                command: "linkcond dns --upstream 9.9.9.9 --fault 'A(cdn.example)#1..2=timeout'",
                meaning: "forward queries; two of them get no answer"
            ),
            .init(
                command: "linkcond dns --name 'api.test=127.0.0.1' -- pytest -q",
                meaning: "a command that uses it, with no other setup"
            ),
        ],
        options: dnsAnswers + dnsAddresses + dnsRunning,
        worksAlone: true,
        takesProgram: true,
        readsConfiguration: true,
        // Where a proxy listens, and what breaks its connections, means nothing here.
        sharesConfiguration: false
    )

    private static let dnsAnswers: [OptionSpecification] = [
        .name,
        OptionSpecification(
            long: "ttl",
            value: ValueSpecification(name: "SECONDS"),
            help: "How long clients may cache answers from --name. Default: 60.",
            group: .answers
        ),
        OptionSpecification(
            long: "upstream",
            value: ValueSpecification(name: "ADDRESS[:PORT]"),
            help: "Forward other queries to this name server. Default: refuse them.",
            group: .answers
        ),
        OptionSpecification(
            long: "fault",
            value: ValueSpecification(
                name: "WHERE=EFFECT",
                completion: .words(QueryEffect.names.map { "A(*)#1=\($0)" })
            ),
            help: "Break an answer, as in 'A(api.example.com)#1=nxdomain'; see above.",
            group: .answers,
            isRepeatable: true
        ),
        .seed,
    ]

    private static let dnsAddresses: [OptionSpecification] = [
        OptionSpecification(
            long: "listen",
            value: ValueSpecification(name: "ADDRESS"),
            help: """
                Address for clients: 127.0.0.1:5353 or [::1]:5353. Port 0 picks a port that is free \
                for UDP and TCP. Default: 127.0.0.1:0, with CMD 127.0.0.1:53.
                """,
            group: .addresses,
            isRepeatable: true
        ),
        OptionSpecification(
            long: "allow-remote",
            help: "Allow --listen addresses that other machines can reach.",
            group: .addresses,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "no-tcp",
            help: "Refuse TCP connections.",
            group: .addresses
        ),
    ]

    private static let dnsRunning: [OptionSpecification] = [
        OptionSpecification(
            long: "duration",
            value: ValueSpecification(name: "TIME"),
            help: "Exit after this time, for example 30s or 5min.",
            group: .running
        ),
        .readyFile(once: "queries are answered", with: "host, port, pid and seed"),
        .readyDescriptor,
        .serviceJournal, .journalLimit, .journalKeep,
        .json,
        .serviceQuiet,
        .noColor, .noConfiguration, .help,
    ]
}
