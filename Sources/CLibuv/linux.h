/* Linux system calls. Swift's own module of the C library is built without _GNU_SOURCE, so the
   GNU-only functions and constants are declared here. */
#include <gnu/libc-version.h>
#include <linux/openat2.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
int fallocate(int fd, int mode, off_t offset, off_t length);
int pipe2(int fds[2], int flags);

struct mmsghdr {
    struct msghdr msg_hdr;
    unsigned int msg_len;
};
int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *limit);
int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags);
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

/* Swift has no fork, since a child that has threads may do little; one without threads may do all. */
static inline pid_t linkcond_fork(void) { return fork(); }

/* Of siginfo(5): the kernel has sent the signal, such as the terminal for a key. */
enum { LINKCOND_FROM_KERNEL = 0x80 };

/* In the C library only from glibc 2.34 on: close_range(2). */
static inline int linkcond_close_range(unsigned first, unsigned last, unsigned flags) {
#ifdef SYS_close_range
    return (int)syscall(SYS_close_range, first, last, flags);
#else
    errno = ENOSYS;
    return -1;
#endif
}

/* Of udp(7) and socket(7); the C library shows some only to GNU sources. */
enum {
    LINKCOND_UDP_SEGMENT = 103,
    LINKCOND_UDP_GRO = 104,
    LINKCOND_REPORT_DROPS = 40,
    LINKCOND_MEMORY = 55,
    LINKCOND_MEMORY_DROPS = 8,
};

/* How many datagrams a socket's full buffer has dropped so far; -1 if the kernel does not tell. */
static inline int linkcond_dropped(int descriptor, uint32_t *dropped) {
    uint32_t figures[LINKCOND_MEMORY_DROPS + 1];
    socklen_t size = sizeof figures;
    if (getsockopt(descriptor, SOL_SOCKET, LINKCOND_MEMORY, figures, &size)) return -1;
    if (size < sizeof figures) return -1;
    *dropped = figures[LINKCOND_MEMORY_DROPS];
    return 0;
}
