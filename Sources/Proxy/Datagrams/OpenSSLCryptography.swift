internal import QUICWire
internal import SystemIO

struct OpenSSLCryptography: QUICCryptography {
    func authenticationCode(of data: [UInt8], key: [UInt8], _ hash: QUICHash) -> [UInt8] {
        switch hash {
        case .sha256: SHA256.authenticationCode(of: data, key: key)
        case .sha384: SHA384.authenticationCode(of: data, key: key)
        }
    }

    func mask(of sample: [UInt8], key: [UInt8], _ cipher: QUICCipher) -> [UInt8] {
        AuthenticatedCipher(cipher).keyStream(of: sample, key: key)
    }

    func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        header: [UInt8],
        _ cipher: QUICCipher
    ) -> [UInt8]? {
        AuthenticatedCipher(cipher).open(sealed, key: key, nonce: nonce, header: header)
    }
}

extension AuthenticatedCipher {
    fileprivate init(_ cipher: QUICCipher) {
        self =
            switch cipher {
            case .aes128GCM: .aes128GCM
            case .aes256GCM: .aes256GCM
            case .chaCha20Poly1305: .chaCha20Poly1305
            }
    }
}
