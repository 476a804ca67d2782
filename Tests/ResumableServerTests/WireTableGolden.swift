/// What each response says, with limits `max-size=1000`, `min-append-size=5` and a life of 60 s.
///
/// Read it beside the texts of the protocols: a changed line is a changed protocol. Fields stand in
/// the order of the alphabet; `X-Target` is a field of the resource that the upload was meant for.
enum WireTableGolden {
    static let text = """
        == ietf-3
        whole: 104 Location: /uploads/u1; Upload-Draft-Interop-Version: 3
        whole: 201 Location: /uploads/u1; Upload-Incomplete: ?0; Upload-Offset: 100; X-Target: yes
        HEAD of complete: 204 Cache-Control: no-store; Upload-Incomplete: ?0; Upload-Offset: 100
        first part: 104 Location: /uploads/u1; Upload-Draft-Interop-Version: 3
        first part: 201 Location: /uploads/u1; Upload-Incomplete: ?1; Upload-Offset: 40
        HEAD: 204 Cache-Control: no-store; Upload-Incomplete: ?1; Upload-Offset: 40
        PATCH: 201 Upload-Incomplete: ?1; Upload-Offset: 70
        wrong offset: 409 Cache-Control: no-store; Upload-Offset: 70
        wrong type: 201 Upload-Incomplete: ?0; Upload-Offset: 100; X-Target: yes
        PATCH again: 201 Upload-Incomplete: ?0; Upload-Offset: 100; X-Target: yes
        DELETE: 204
        HEAD of gone: 404 Cache-Control: no-store
        too large: 413 Cache-Control: no-store
        OPTIONS: 204 Allow: OPTIONS, POST, PUT
        == ietf-5
        whole: 104 Location: /uploads/u1; Upload-Draft-Interop-Version: 5
        whole: 201 Location: /uploads/u1; Upload-Complete: ?1; Upload-Offset: 100; X-Target: yes
        HEAD of complete: 204 Cache-Control: no-store; Upload-Complete: ?1; Upload-Offset: 100
        first part: 104 Location: /uploads/u1; Upload-Draft-Interop-Version: 5
        first part: 201 Location: /uploads/u1; Upload-Complete: ?0; Upload-Offset: 40
        HEAD: 204 Cache-Control: no-store; Upload-Complete: ?0; Upload-Offset: 40
        PATCH: 201 Upload-Complete: ?0; Upload-Offset: 70
        wrong offset: 409 Cache-Control: no-store; Upload-Offset: 70
        wrong type: 201 Upload-Complete: ?1; Upload-Offset: 100; X-Target: yes
        PATCH again: 201 Upload-Complete: ?1; Upload-Offset: 100; X-Target: yes
        DELETE: 204
        HEAD of gone: 404 Cache-Control: no-store
        too large: 413 Cache-Control: no-store
        OPTIONS: 204 Allow: OPTIONS, POST, PUT
        == ietf-6
        whole: 104 Location: /uploads/u1; Upload-Draft-Interop-Version: 6; \
        Upload-Limit: max-size=1000, min-append-size=5, expires=60
        whole: 201 Location: /uploads/u1; Upload-Complete: ?1; Upload-Offset: 100; X-Target: yes
        HEAD of complete: 204 Cache-Control: no-store; Upload-Complete: ?1; \
        Upload-Length: 100; Upload-Limit: max-size=1000, min-append-size=5; \
        Upload-Offset: 100
        first part: 104 Location: /uploads/u1; Upload-Draft-Interop-Version: 6; \
        Upload-Limit: max-size=1000, min-append-size=5, expires=60
        first part: 201 Location: /uploads/u1; Upload-Complete: ?0; \
        Upload-Limit: max-size=1000, min-append-size=5, expires=60; Upload-Offset: 40
        HEAD: 204 Cache-Control: no-store; Upload-Complete: ?0; \
        Upload-Limit: max-size=1000, min-append-size=5, expires=60; Upload-Offset: 40
        PATCH: 201 Upload-Complete: ?0; Upload-Offset: 70
        wrong offset: 409 Cache-Control: no-store; Upload-Offset: 70
        wrong type: 415 Accept-Patch: application/partial-upload; Cache-Control: no-store
        last PATCH: 201 Upload-Complete: ?1; Upload-Offset: 100; X-Target: yes
        PATCH again: 400 Cache-Control: no-store
        DELETE: 204
        HEAD of gone: 404 Cache-Control: no-store
        too large: 413 Cache-Control: no-store
        OPTIONS: 204 Accept-Patch: application/partial-upload; Allow: OPTIONS, POST, PUT; \
        Upload-Limit: max-size=1000, min-append-size=5, expires=60
        == ietf-8
        whole: 104 Location: /uploads/u1; Upload-Draft-Interop-Version: 8; \
        Upload-Limit: max-size=1000, min-append-size=5, max-age=60
        whole: 201 Upload-Complete: ?1; X-Target: yes
        HEAD of complete: 204 Cache-Control: no-store; Upload-Complete: ?1; \
        Upload-Length: 100; Upload-Limit: max-size=1000, min-append-size=5; \
        Upload-Offset: 100
        first part: 104 Location: /uploads/u1; Upload-Draft-Interop-Version: 8; \
        Upload-Limit: max-size=1000, min-append-size=5, max-age=60
        first part: 201 Location: /uploads/u1; Upload-Complete: ?0; \
        Upload-Limit: max-size=1000, min-append-size=5, max-age=60
        HEAD: 204 Cache-Control: no-store; Upload-Complete: ?0; \
        Upload-Limit: max-size=1000, min-append-size=5, max-age=60; Upload-Offset: 40
        PATCH: 204 Upload-Complete: ?0
        wrong offset: 409 Cache-Control: no-store; Upload-Complete: ?0; Upload-Offset: 70
        wrong type: 415 Accept-Patch: application/partial-upload; Cache-Control: no-store
        last PATCH: 201 Upload-Complete: ?1; X-Target: yes
        PATCH again: 201 Upload-Complete: ?1; X-Target: yes
        DELETE: 204
        HEAD of gone: 410 Cache-Control: no-store
        too large: 413 Cache-Control: no-store; \
        Upload-Limit: max-size=1000, min-append-size=5, max-age=60
        OPTIONS: 204 Accept-Patch: application/partial-upload; Allow: OPTIONS, POST, PUT; \
        Upload-Limit: max-size=1000, min-append-size=5, max-age=60
        == tus-1.0.0
        whole: 201 Location: /uploads/u1; Tus-Resumable: 1.0.0; \
        Upload-Expires: Mon, 12 Jan 1970 14:46:40 GMT; Upload-Offset: 100
        HEAD of complete: 200 Cache-Control: no-store; Tus-Resumable: 1.0.0; \
        Upload-Length: 100; Upload-Offset: 100
        first part: 201 Location: /uploads/u1; Tus-Resumable: 1.0.0; \
        Upload-Expires: Mon, 12 Jan 1970 13:47:40 GMT; Upload-Offset: 40
        HEAD: 200 Cache-Control: no-store; Tus-Resumable: 1.0.0; \
        Upload-Expires: Mon, 12 Jan 1970 13:47:40 GMT; Upload-Length: 100; Upload-Offset: 40
        PATCH: 204 Tus-Resumable: 1.0.0; Upload-Expires: Mon, 12 Jan 1970 13:47:40 GMT; \
        Upload-Offset: 70
        wrong offset: 409 Cache-Control: no-store; Tus-Resumable: 1.0.0; Upload-Offset: 70
        wrong type: 415 Accept-Patch: application/offset+octet-stream; \
        Cache-Control: no-store; Tus-Resumable: 1.0.0
        last PATCH: 204 Tus-Resumable: 1.0.0; \
        Upload-Expires: Mon, 12 Jan 1970 14:46:40 GMT; Upload-Offset: 100
        PATCH again: 204 Tus-Resumable: 1.0.0; \
        Upload-Expires: Mon, 12 Jan 1970 14:46:40 GMT; Upload-Offset: 100
        DELETE: 204 Tus-Resumable: 1.0.0
        HEAD of gone: 410 Cache-Control: no-store; Tus-Resumable: 1.0.0
        too large: 413 Cache-Control: no-store; Tus-Resumable: 1.0.0
        OPTIONS: 204 Allow: OPTIONS, POST, PUT; Tus-Checksum-Algorithm: sha1,sha256; \
        Tus-Extension: creation,creation-with-upload,creation-defer-length,termination,checksum,checksum-trailer,expiration,concatenation; \
        Tus-Max-Size: 1000; Tus-Resumable: 1.0.0; Tus-Version: 1.0.0
        """
}
