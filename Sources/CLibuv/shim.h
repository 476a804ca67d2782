#include <uv.h>

/* System calls that libuv does not offer, and what systems define in other ways. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef __linux__
#include "linux.h"
#endif

/* Constants that Swift sees as an enumeration on one system and as a number on another, or not at
   all. */
static const int LINKCOND_STREAM = SOCK_STREAM;
static const int LINKCOND_DATAGRAM = SOCK_DGRAM;
static const unsigned long LINKCOND_UNREAD = FIONREAD;
static const unsigned long LINKCOND_WINDOW_SIZE = TIOCGWINSZ;

/* The headers of Darwin show this option of RFC 3542 only to those who define something before. */
#if defined(__APPLE__) && !defined(IPV6_DONTFRAG)
#define IPV6_DONTFRAG 62
#endif
static const int LINKCOND_IPV6_DONTFRAG = IPV6_DONTFRAG;
static const int LINKCOND_IPV6_RECEIVE_CLASS = IPV6_RECVTCLASS;

#ifdef MSG_NOSIGNAL
static const int LINKCOND_NO_SIGNAL = MSG_NOSIGNAL;
#else
static const int LINKCOND_NO_SIGNAL = 0;
#endif

/* Seconds of silence before the first question of TCP keep-alive. */
#ifdef __APPLE__
static const int LINKCOND_KEEPALIVE_IDLE = TCP_KEEPALIVE;
#else
static const int LINKCOND_KEEPALIVE_IDLE = TCP_KEEPIDLE;
#endif

enum {
    LINKCOND_CONTROL_SPACE = 128,
    /* On some systems the family of an address comes after its length. */
    LINKCOND_FAMILY_PLACE = offsetof(struct sockaddr, sa_family),
    LINKCOND_PATH_PLACE = offsetof(struct sockaddr_un, sun_path),
    LINKCOND_PATH_SIZE = sizeof(((struct sockaddr_un *)0)->sun_path),
};

/* The version of glibc, which the program runs with; null if it is another C library. */
static inline const char *linkcond_glibc_version(void) {
#ifdef __GLIBC__
    return gnu_get_libc_version();
#else
    return NULL;
#endif
}

/* Starts a detached thread; returns an error number, or 0. */
static inline int linkcond_start_thread(void *(*body)(void *), void *data) {
    pthread_t thread;
    int status = pthread_create(&thread, NULL, body, data);
    return status ? status : pthread_detach(thread);
}

/* When the content of a file last changed. */
static inline struct timespec linkcond_modification(const struct stat *status) {
#ifdef __APPLE__
    return status->st_mtimespec;
#else
    return status->st_mtim;
#endif
}

/* The limits that are asked for. */
enum linkcond_resource { LINKCOND_OPEN_FILES, LINKCOND_ADDRESSES };

static inline int linkcond_get_limit(enum linkcond_resource which, struct rlimit *limit) {
    return getrlimit(which == LINKCOND_OPEN_FILES ? RLIMIT_NOFILE : RLIMIT_AS, limit);
}

static inline int linkcond_set_file_limit(const struct rlimit *limit) {
    return setrlimit(RLIMIT_NOFILE, limit);
}

/* The texts of the environment, with a null at the end. */
#ifdef __APPLE__
#include <crt_externs.h>
static inline char **linkcond_environment(void) { return *_NSGetEnviron(); }
#else
extern char **environ;
static inline char **linkcond_environment(void) { return environ; }
#endif

/* A message, and how long it was. */
struct linkcond_message {
    struct msghdr msg_hdr;
    unsigned msg_len;
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
        if (part->cmsg_level == IPPROTO_IP
            && (part->cmsg_type == IP_TOS || part->cmsg_type == IP_RECVTOS)) {
            arrival.ecn = data[0] & 3;
            continue;
        }
        if (part->cmsg_len < CMSG_LEN(sizeof number)) continue;
        memcpy(&number, data, sizeof number);
        if (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_TCLASS)
            arrival.ecn = (unsigned)number & 3;
#ifdef __linux__
        else if (part->cmsg_level == IPPROTO_UDP && part->cmsg_type == LINKCOND_UDP_GRO)
            arrival.segment = (unsigned)number;
        else if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == LINKCOND_REPORT_DROPS)
            arrival.dropped = (unsigned)number;
#endif
    }
    return arrival;
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

/* Lets a datagram leave with these ECN bits, and, on Linux, cut into segments unless that is 0;
   `space` has LINKCOND_CONTROL_SPACE bytes. */
static inline void linkcond_write_control(struct msghdr *message, void *space, int is_ipv6,
                                          unsigned ecn, unsigned segment) {
    size_t length = 0;
    message->msg_control = space;
    if (ecn)
        linkcond_append_control(message, &length, is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP,
                                is_ipv6 ? IPV6_TCLASS : IP_TOS, (int)ecn);
#ifdef __linux__
    if (segment) {
        struct cmsghdr *part = (struct cmsghdr *)((char *)space + length);
        uint16_t size = (uint16_t)segment;
        part->cmsg_level = IPPROTO_UDP;
        part->cmsg_type = LINKCOND_UDP_SEGMENT;
        part->cmsg_len = CMSG_LEN(sizeof size);
        memcpy(CMSG_DATA(part), &size, sizeof size);
        length += CMSG_SPACE(sizeof size);
    }
#else
    (void)segment;
#endif
    if (!length) message->msg_control = NULL;
    message->msg_controllen = length;
}
