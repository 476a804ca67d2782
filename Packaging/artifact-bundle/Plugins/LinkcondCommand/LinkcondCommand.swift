import Foundation
import PackagePlugin

/// Runs linkcond with the arguments that follow its name, in the package's folder.
@main
struct LinkcondCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try context.tool(named: "linkcond").path.string)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: context.package.directory.string)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            Diagnostics.error("linkcond ended with \(process.terminationStatus)")
            return
        }
    }
}
