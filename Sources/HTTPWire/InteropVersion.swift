/// A version of the IETF's resumable uploads, by the number in `Upload-Draft-Interop-Version`.
///
/// draft-ietf-httpbis-resumable-upload: 3 is -01, 5 is -03, 6 is -04 and -05, 8 is -09 and later.
package enum InteropVersion: Int, CaseIterable, Hashable, Sendable {
    case v3 = 3
    case v5 = 5
    case v6 = 6
    case v8 = 8
}
