internal import Journal

/// The description of `/v1` for programs (OpenAPI 3.0.3).
///
/// It says what the reading of requests asks for, no more and no less; a fuzzer that is driven by it
/// holds both to each other.
enum OpenAPI {
    static func document(version: String) -> JSONValue {
        [
            "openapi": "3.0.3",
            "info": ["title": "linkcond", "version": .string(version)],
            "security": [["bearer": []]],
            "components": [
                "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]],
                "schemas": ["Problem": problem],
            ],
            "paths": .object(paths),
        ]
    }

    // MARK: Paths

    private static var paths: JSONObject {
        [
            "/v1": ["get": get("What runs, and every resource")],
            "/v1/proxies": [
                "get": get("The proxies of the run"),
                "post": operation("Makes a proxy", body: newProxy, status: 201),
            ],
            "/v1/proxies/{proxy}": [
                "parameters": [parameter("proxy", in: "path", proxyName)],
                "get": get("A proxy"),
                "put": change("Makes a proxy, or switches profile and faults as a whole"),
                "patch": change("Changes what is given; of a proxy that was made also its name"),
                "delete": operation(
                    "Ends a proxy that was made, and resets its connections",
                    status: 204
                ),
            ],
            "/v1/profiles": ["get": get("Names of profiles, and which one a proxy has", [ofProxy])],
            "/v1/profiles/{name}": [
                "parameters": [parameter("name", in: "path", text("[A-Za-z0-9_-]{1,64}"))],
                "get": get("A profile, with its values and its YAML", [ofProxy]),
                "put": operation(
                    "Takes a profile for this run, as YAML or JSON",
                    body: object(["name": text("[a-z]{1,16}")]),
                    orStatus: 201
                ),
            ],
            "/v1/connections": [
                "get": get(
                    "Open connections",
                    [
                        parameter("limit", in: "query", integer(1, 1_000)),
                        parameter("after", in: "query", connection), ofProxy,
                    ]
                )
            ],
            "/v1/connections/{id}": [
                "parameters": [parameter("id", in: "path", connection)],
                "get": get("An open connection"),
                "delete": operation(
                    "Ends a connection",
                    [parameter("kind", in: "query", choice(["rst", "fin", "hole"]))]
                ),
            ],
            "/v1/faults": [
                "get": get("Faults and what became of them", [ofProxy]),
                "post": operation(
                    "Arms a fault",
                    body: object(["fault": fault, "proxy": proxyName], required: ["fault"]),
                    status: 201
                ),
            ],
            "/v1/faults/{id}": [
                "parameters": [parameter("id", in: "path", text("f[1-9][0-9]{0,3}"))],
                "get": get("A fault"),
                "delete": operation("Takes a fault back", status: 204),
            ],
            "/v1/actions": ["post": operation("Does something by hand", body: actions)],
            "/v1/events": [
                "get": get(
                    "Records of the journal",
                    [
                        parameter("after", in: "query", ["type": "integer", "minimum": 0]),
                        ofProxy,
                    ],
                    types: ["application/jsonl"]
                )
            ],
            "/v1/exports/{form}": [
                "parameters": [
                    parameter("form", in: "path", choice(["journal", "har", "pcapng"]))
                ],
                "get": get(
                    "The records that are known: a journal, an HTTP Archive or a packet capture",
                    types: ["application/jsonl", "application/json", "application/x-pcapng"]
                ),
            ],
            "/v1/meter": ["get": get("Bytes by path and use, and the budget", schema: meter)],
            "/v1/path": [
                "get": get("What the path is like"),
                "put": operation("Says what the path is like", body: path),
            ],
            "/v1/schedule": [
                "get": get(
                    "What was done, as what does it again",
                    [parameter("as", in: "query", choice(["schedule", "profile"])), ofProxy],
                    types: ["application/json", "application/yaml"]
                ),
                "post": operation(
                    "Forgets what was done so far",
                    body: object(
                        ["action": choice(["clear"]), "proxy": proxyName],
                        required: ["action"]
                    )
                ),
            ],
            "/v1/transfers": ["get": get("Downloads and uploads that were seen")],
            "/v1/wait": [
                "get": get(
                    "Waits until something has happened",
                    [
                        parameter(
                            "for",
                            in: "query",
                            choice(["connections", "fault", "bytesDown", "bytesUp", "idle"]),
                            isRequired: true
                        ), parameter("count", in: "query", integer(1, 1_000_000)),
                        parameter("limit", in: "query", choice(["1ms", "5ms", "20ms"])), ofProxy,
                    ],
                    also: [503, 504]
                )
            ],
        ]
    }

    private static func change(_ summary: String) -> JSONValue {
        operation(summary, body: object(conditions))
    }

    // MARK: Bodies

    private static let conditions: JSONObject = [
        "enabled": ["type": "boolean"],
        "profile": choice(["none", "wifi", "lte", "edge"]),
        "settings": [
            "type": "object", "additionalProperties": false,
            "properties": [
                "delay": choice(["0s", "5ms", "80ms"]), "loss": choice(["0%", "1%"]),
            ],
        ],
        "faults": [
            "type": "array",
            "items": text("c[1-9][0-9]{0,3}:(up|down)\\+[0-9]{1,9}=(rst|fin|corrupt)"),
        ],
    ]

    private static var newProxy: JSONValue {
        var members: JSONObject = [
            "name": proxyName, "listen": choice(["127.0.0.1:0"]),
            "upstream": choice(["127.0.0.1:9", "example.org:80"]), "seed": seed,
        ]
        for member in conditions.members { members.append(member.key, member.value) }
        return object(members, required: ["name", "upstream"])
    }

    private static let seed: JSONValue = [
        "type": "integer", "minimum": 0, "maximum": .number(UInt64.max),
    ]

    private static let proxyName = text("[A-Za-z0-9_-]{1,64}")

    private static let ofProxy = parameter("proxy", in: "query", proxyName)

    private static var actions: JSONValue {
        func one(_ word: String, _ further: JSONObject = [:]) -> JSONValue {
            var members: JSONObject = ["action": choice([word]), "proxy": proxyName]
            for member in further.members { members.append(member.key, member.value) }
            return object(members, required: ["action"])
        }
        let time = choice(["1ms", "20ms", "5s"])
        return [
            "oneOf": [
                one("cut", ["connection": connection, "kind": choice(["rst", "fin", "hole"])]),
                one("pause", ["connection": connection]), one("resume", ["connection": connection]),
                one("stall", ["connection": connection, "for": time]),
                one("refuse", ["count": integer(1, 10_000)]), one("outage", ["for": time]),
                one("restore"), one("mark", ["text": ["type": "string", "maxLength": 200]]),
                one("reset"),
            ]
        ]
    }

    /// What `/v1/meter` answers: every member is there, none else.
    private static var meter: JSONValue {
        func whole(_ members: JSONObject) -> JSONValue {
            object(members, required: members.members.map(\.key))
        }
        let count: JSONValue = ["type": "integer", "minimum": 0]
        let started = whole(["requests": count, "bytes": count])
        return whole([
            "isExpensive": ["type": "boolean"], "isConstrained": ["type": "boolean"],
            "bytesByPath": [
                "type": "array",
                "items": whole([
                    "class": choice(PathMeter.Class.allCases.map(\.rawValue)), "bytesUp": count,
                    "bytesDown": count,
                ]),
            ],
            "startedWhileExpensive": started, "startedWhileConstrained": started,
            "content": whole([
                "firstBytes": count, "resentAvoidableBytes": count, "resentForcedBytes": count,
                "abandonedBytes": count,
            ]),
            "budget": [
                "type": "object", "nullable": true, "required": ["state", "usedBytes"],
                "properties": ["state": ["type": "string"], "usedBytes": count],
            ],
        ])
    }

    private static var path: JSONValue {
        object([
            "status": choice(["satisfied", "unsatisfied"]), "isConstrained": ["type": "boolean"],
            "isExpensive": ["type": "boolean"],
            "interface": choice(["wifi", "cellular", "wired", "other"]),
            "power": ["type": "boolean"],
        ])
    }

    private static var fault: JSONValue {
        text("c[1-9][0-9]{0,3}:(up|down)\\+[0-9]{1,9}=(rst|fin|hole|corrupt|stall\\(5ms\\))")
    }

    private static var connection: JSONValue { text("c[1-9][0-9]{0,4}") }

    private static var problem: JSONValue {
        object(
            [
                "type": ["type": "string"], "title": ["type": "string"],
                "status": ["type": "integer"], "detail": ["type": "string"],
                "errors": [
                    "type": "array",
                    "items": object(
                        [
                            "pointer": ["type": "string"], "message": ["type": "string"],
                            "suggestion": ["type": "string"],
                        ],
                        required: ["pointer", "message"]
                    ),
                ],
            ],
            required: ["type", "title", "status", "detail"]
        )
    }

    // MARK: Pieces

    private static func get(
        _ summary: String,
        _ parameters: [JSONValue] = [],
        types: [String] = ["application/json"],
        schema: JSONValue? = nil,
        also: [Int] = []
    ) -> JSONValue {
        operation(summary, parameters, types: types, schema: schema, also: also)
    }

    private static func operation(
        _ summary: String,
        _ parameters: [JSONValue] = [],
        body: JSONValue? = nil,
        status: Int = 200,
        orStatus: Int? = nil,
        types: [String] = ["application/json"],
        schema: JSONValue? = nil,
        also: [Int] = []
    ) -> JSONValue {
        var responses = JSONObject()
        var success: JSONObject = ["description": "Done"]
        if status != 204 {
            var content = JSONObject()
            for type in types { content.append(type, .object(["schema": schema])) }
            success.append("content", .object(content))
        }
        responses.append("\(status)", .object(success))
        if let orStatus { responses.append("\(orStatus)", .object(success)) }
        for refusal in [400, 401, 404, 405, 409, 412, 413, 415, 421, 422] + also
        where responses["\(refusal)"] == nil {
            responses.append("\(refusal)", refused)
        }
        var operation: JSONObject = ["summary": .string(summary)]
        if !parameters.isEmpty { operation.append("parameters", .array(parameters)) }
        if let body {
            operation.append(
                "requestBody",
                ["required": true, "content": ["application/json": ["schema": body]]]
            )
        }
        operation.append("responses", .object(responses))
        return .object(operation)
    }

    private static let refused: JSONValue = [
        "description": "Refused",
        "content": [
            "application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]
        ],
    ]

    private static func parameter(
        _ name: String,
        in place: String,
        _ schema: JSONValue,
        isRequired: Bool = false
    ) -> JSONValue {
        [
            "name": .string(name), "in": .string(place),
            "required": .bool(isRequired || place == "path"), "schema": schema,
        ]
    }

    private static func object(_ members: JSONObject, required: [String] = []) -> JSONValue {
        var properties = JSONObject()
        for member in members.members {
            let isRequired = required.contains(member.key)
            properties.append(member.key, isRequired ? member.value : nullable(member.value))
        }
        var object: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { object.append("required", .array(required.map { .string($0) })) }
        object.append("additionalProperties", false)
        return .object(object)
    }

    /// A member that may be left out may also be null, which says the same.
    private static func nullable(_ schema: JSONValue) -> JSONValue {
        guard case .object(let object) = schema else { return schema }
        var nullable = JSONObject()
        for member in object.members {
            if member.key == "enum", case .array(let words) = member.value {
                nullable.append(member.key, .array(words + [.null]))
            } else {
                nullable.append(member.key, member.value)
            }
        }
        nullable.append("nullable", true)
        return .object(nullable)
    }

    private static func choice(_ words: [String]) -> JSONValue {
        ["type": "string", "enum": .array(words.map { .string($0) })]
    }

    private static func text(_ pattern: String) -> JSONValue {
        ["type": "string", "pattern": .string("^\(pattern)$")]
    }

    private static func integer(_ least: Int, _ most: Int) -> JSONValue {
        ["type": "integer", "minimum": .number(least), "maximum": .number(most)]
    }
}
