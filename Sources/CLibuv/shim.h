#include <uv.h>

/* Linux system calls that libuv does not offer. Swift's own module of the C library is built
   without _GNU_SOURCE, so the GNU-only functions and constants are declared here. */
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
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
    LINKCOND_CONTROL_SPACE = 128,
};

/* What came with a datagram besides its bytes. */
struct linkcond_arrival {
    /* The two bits of RFC 3168 §5. */
    unsigned ecn;
    /* Bytes of each datagram that the kernel has put together here; 0 for one alone. */
    unsigned segment;
    /* How many the socket's full buffer has dropped so far. */
    unsigned dropped;
};

static inline struct linkcond_arrival linkcond_read_control(struct msghdr *message) {
    struct linkcond_arrival arrival = {0, 0, 0};
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        unsigned char *data = CMSG_DATA(part);
        int number = 0;
        if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_TOS) {
            arrival.ecn = data[0] & 3;
            continue;
        }
        if (part->cmsg_len < CMSG_LEN(sizeof number)) continue;
        memcpy(&number, data, sizeof number);
        if (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_TCLASS)
            arrival.ecn = (unsigned)number & 3;
        else if (part->cmsg_level == IPPROTO_UDP && part->cmsg_type == LINKCOND_UDP_GRO)
            arrival.segment = (unsigned)number;
        else if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == LINKCOND_REPORT_DROPS)
            arrival.dropped = (unsigned)number;
    }
    return arrival;
}

/* How many datagrams a socket's full buffer has dropped so far; -1 if the kernel does not tell. */
static inline int linkcond_dropped(int descriptor, uint32_t *dropped) {
    uint32_t figures[LINKCOND_MEMORY_DROPS + 1];
    socklen_t size = sizeof figures;
    if (getsockopt(descriptor, SOL_SOCKET, LINKCOND_MEMORY, figures, &size)) return -1;
    if (size < sizeof figures) return -1;
    *dropped = figures[LINKCOND_MEMORY_DROPS];
    return 0;
}

static inline void linkcond_append_control(struct msghdr *message, size_t *length, int level,
                                           int type, int value) {
    struct cmsghdr *part = (struct cmsghdr *)((char *)message->msg_control + *length);
    part->cmsg_level = level;
    part->cmsg_type = type;
    part->cmsg_len = CMSG_LEN(sizeof value);
    memcpy(CMSG_DATA(part), &value, sizeof value);
    *length += CMSG_SPACE(sizeof value);
}

/* Lets a datagram leave with these ECN bits, and cut into segments unless that is 0; `space` has
   LINKCOND_CONTROL_SPACE bytes. */
static inline void linkcond_write_control(struct msghdr *message, void *space, int is_ipv6,
                                          unsigned ecn, unsigned segment) {
    size_t length = 0;
    message->msg_control = space;
    if (ecn)
        linkcond_append_control(message, &length, is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP,
                                is_ipv6 ? IPV6_TCLASS : IP_TOS, (int)ecn);
    if (segment) {
        struct cmsghdr *part = (struct cmsghdr *)((char *)space + length);
        uint16_t size = (uint16_t)segment;
        part->cmsg_level = IPPROTO_UDP;
        part->cmsg_type = LINKCOND_UDP_SEGMENT;
        part->cmsg_len = CMSG_LEN(sizeof size);
        memcpy(CMSG_DATA(part), &size, sizeof size);
        length += CMSG_SPACE(sizeof size);
    }
    if (!length) message->msg_control = NULL;
    message->msg_controllen = length;
}
