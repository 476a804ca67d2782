// Invariant: any text and settings end in a profile or in one-line diagnostics;
// the canonical text of a profile reads back as the same profile.
//
// Lines that begin with "#set " are settings, as if given by --set.

import FuzzSupport
import LinkProfile

fuzz { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let settings = text.split(separator: "\n").filter { $0.hasPrefix("#set ") }
        .compactMap { ProfileSetting(parsing: String($0.dropFirst(5))) }
    let library = ProfileLibrary.builtinOnly()
    do throws(ProfileError) {
        let source = ProfileText(file: "p.yaml", bytes: bytes)
        var profile = try library.load(source, settings: settings)
        let canonical = ProfileText(file: "p.yaml", bytes: Array(profile.canonicalText.utf8))
        profile.parameters = []
        do throws(ProfileError) {
            let again = try library.load(canonical)
            require(again == profile, "canonical text means the same profile")
        } catch {
            require(false, "canonical text reads: \(error.lines)")
        }
    } catch {
        require(!error.lines.isEmpty, "an error says something")
        require(error.lines.allSatisfy { !$0.contains("\n") }, "a diagnostic is one line")
    }
}
