/// The program: its arguments in, its exit code out.
package enum CommandLineTool {
    package static func main() -> Never { fatalError("not built yet") }
}
