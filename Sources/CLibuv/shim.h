#include <uv.h>

/* Linux system calls that libuv does not offer. Swift's own module of the C library is built
   without _GNU_SOURCE, so the GNU-only functions and constants are declared here. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
int fallocate(int fd, int mode, off_t offset, off_t length);
int pipe2(int fds[2], int flags);
ssize_t splice(int from, int64_t *from_offset, int to, int64_t *to_offset, size_t length,
               unsigned flags);

enum {
    LINKCOND_SPLICE_MOVE_NONBLOCK = 1 | 2,
    LINKCOND_SET_PIPE_SIZE = 1031,
    LINKCOND_OPEN_PATH = 010000000,
    LINKCOND_CLOSE_RANGE_CLOEXEC = 1 << 2,
    LINKCOND_PEER_CREDENTIALS = 17,
    LINKCOND_OPEN_BENEATH = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
};

/* The C library has no openat2: openat2(2). */
static inline int linkcond_openat2(int folder, const char *path, int flags, unsigned mode,
                                   uint64_t resolve) {
    struct open_how how = {.flags = (uint32_t)flags, .mode = mode, .resolve = resolve};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

/* In the C library only from glibc 2.34 on: close_range(2). */
static inline int linkcond_close_range(unsigned first, unsigned last, unsigned flags) {
#ifdef SYS_close_range
    return (int)syscall(SYS_close_range, first, last, flags);
#else
    errno = ENOSYS;
    return -1;
#endif
}
