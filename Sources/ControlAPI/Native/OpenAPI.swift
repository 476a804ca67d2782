internal import Basics

/// The description of the control API for programs (OpenAPI 3.0.3), kept as a file.
///
/// It states what requests may hold, no more and no less: a fuzzer that is driven by it holds the
/// file and the code to each other.
enum OpenAPI {
    static func document(version: String) -> JSONValue {
        let file = try? JSONParser.parse(PackageResources.openapi_json[...], .document)
        guard case .object(let object)? = file else {
            preconditionFailure("openapi.json is a JSON object")
        }
        var document = JSONObject()
        for member in object.members {
            let isInfo = member.key == "info"
            let info: JSONValue = ["title": "linkcond", "version": .string(version)]
            document.append(member.key, isInfo ? info : member.value)
        }
        return .object(document)
    }
}
