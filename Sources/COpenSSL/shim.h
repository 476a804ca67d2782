#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

/* What OpenSSL offers as macros, which Swift does not see. */
static inline long linkcond_set_min_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

static inline long linkcond_set_modes(SSL_CTX *context) {
    return SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE
        | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
}

/* A peer that asks for a new handshake in the middle would stop both directions. */
static inline uint64_t linkcond_forbid_renegotiation(SSL_CTX *context) {
    return SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

/* Without this, the server would keep each session, and tickets would be for one use. */
static inline uint64_t linkcond_take_replays(SSL_CTX *context) {
    return SSL_CTX_set_options(context, SSL_OP_NO_ANTI_REPLAY);
}

static inline long linkcond_set_server_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name);
}

static inline size_t linkcond_pending(BIO *bio) { return BIO_ctrl_pending(bio); }

static inline EVP_PKEY *linkcond_new_key(void) { return EVP_EC_gen("P-256"); }

static inline void linkcond_set_extension_context(
    X509V3_CTX *context, X509 *issuer, X509 *subject) {
    X509V3_set_ctx_nodb(context);
    X509V3_set_ctx(context, issuer, subject, NULL, NULL, 0);
}

static inline long linkcond_bio_bytes(BIO *bio, char **start) { return BIO_get_mem_data(bio, start); }
