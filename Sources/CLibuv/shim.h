#include <uv.h>

/* Linux system calls that libuv does not offer. Swift's own module of the C library is built
   without _GNU_SOURCE, so the GNU-only functions and constants are declared here. */
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
int pipe2(int fds[2], int flags);
ssize_t splice(int from, int64_t *from_offset, int to, int64_t *to_offset, size_t length,
               unsigned flags);

enum {
    LINKCOND_SPLICE_MOVE_NONBLOCK = 1 | 2,
    LINKCOND_SET_PIPE_SIZE = 1031,
};
