/// What falls to the first process of a container: only Linux has those.
package enum FirstProcess {
    package static func stepAside() {}
}
