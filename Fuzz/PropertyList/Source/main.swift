// Invariant: any bytes end in presets whose profiles can be loaded, or in one-line diagnostics.

import FuzzSupport
import LinkProfile

fuzz { bytes in
    do throws(ProfileError) {
        for preset in try ConditionerPresets.read(bytes, file: "p.plist") {
            let text = ProfileText(file: "p.yaml", bytes: Array(preset.yaml.utf8))
            do throws(ProfileError) {
                let profile = try ProfileLibrary.builtinOnly().load(text)
                require(profile.name == preset.name, "the profile has the preset's name")
            } catch {
                require(false, "an imported profile reads: \(error.lines)")
            }
        }
    } catch {
        require(!error.lines.isEmpty, "an error says something")
        require(error.lines.allSatisfy { !$0.contains("\n") }, "a diagnostic is one line")
    }
}
