package import Basics

extension ConfigurationSchema {
    /// The JSON Schema (draft 7) of a configuration file, for editors: the options of the command table.
    package var document: JSONValue {
        var properties = Self.properties(options())
        for command in commands {
            properties.append(
                command.name,
                [
                    "type": "object", "additionalProperties": false,
                    "description": .string(command.summary),
                    "properties": .object(Self.properties(options(of: command.name))),
                ]
            )
        }
        return .object([
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "Options of linkcond", "type": "object", "additionalProperties": false,
            "properties": .object(properties),
        ])
    }

    private static func properties(_ options: [OptionSpecification]) -> JSONObject {
        var object = JSONObject()
        for option in options where object[option.long] == nil {
            object.append(option.long, form(of: option))
        }
        return object
    }

    private static func form(of option: OptionSpecification) -> JSONValue {
        var forms: [JSONValue] = []
        if option.value == nil {
            // Editors differ in whether they read yes and no as truth values.
            forms = [["type": "boolean"], ["enum": ["yes", "no"]]]
        } else {
            forms.append(["type": ["string", "number", "boolean"]])
            if option.isRepeatable {
                forms.append(["type": "array", "items": ["type": ["string", "number"]]])
            }
            if option.takesSettings { forms.append(["type": "object"]) }
        }
        return [
            "description": .string(HelpText.firstSentence(option.help)), "anyOf": .array(forms),
        ]
    }
}
