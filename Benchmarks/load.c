// Puts load on a proxy and measures what comes out at the other end.
//
//   load TARGET UPSTREAM PID TEST ARGUMENT...
//
// Both ends of the proxy are in this process: a server thread listens at UPSTREAM (ADDRESS:PORT), the
// main thread is the client and connects to TARGET. So one clock and one memory see a byte leave and
// arrive. TARGET equal to UPSTREAM measures the machine without a proxy. PID is the proxy's, for its
// processor time, or 0. The result is one line of JSON; times are in microseconds.
//
//   bulk up|down CONNECTIONS SECONDS          throughput
//   trip SIZE COUNT                           round trips, one after the other
//   connect COUNT AT_ONCE                     connect, a request and an answer of 48 bytes, close
//   request COUNT                             the same, one after another on one connection
//   idle CONNECTIONS                          opens, says so, waits for a line of input
//   messages CONNECTIONS PER_SECOND SECONDS   64 bytes and their echo, on time whatever comes back
//   downloads CONNECTIONS SKIP SECONDS        how fast each of several downloads is
//   delay CONNECTIONS PER_SECOND COUNT        how long a message is on its way, in each direction
//   rate up|down SKIP SECONDS                 when the bytes of one transfer arrive
//   beside bulk|slow CONNECTIONS SECONDS      round trips of 1 KiB beside downloads
//
// Before its address TARGET may say how the client speaks: `connect=` asks a forward proxy for a
// connection to UPSTREAM; in `beside` also `tls=` speaks TLS with the proxy, and `http2=` sends frames.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 131072, SMALL = 48, MESSAGE = 64, STAMPED = 32, DESCRIPTORS = 65536 };
enum { MOST_ARRIVALS = 4000000, MOST_SAMPLES = 4000000 };
enum { FRAME = 16384, FRAME_HEADER = 9, TRIP = 1024 };

// What the server does with a connection.
enum role {
    ECHO,    // sends back what it reads
    ANSWER,  // answers each request
    STAMP,   // the same, after writing the time into each message of 32 bytes
    SINK,    // reads and forgets
    RECORD,  // reads, and records when how much came
    SOURCE,  // sends without end after the first byte that it reads
    MIXED,   // the same if that byte is '!'; else sends back what it reads, from a thread of its own
};

// As short as HTTP can be, of SMALL bytes each.
static const char request[] = "GET /bench HTTP/1.1\r\nHost: bench.example.com\r\n\r\n";
static const char answer[] = "HTTP/1.1 200 Fine\r\nContent-Length: 8\r\n\r\n12345678";
_Static_assert(sizeof request == SMALL + 1 && sizeof answer == SMALL + 1, "SMALL bytes");

struct arrival { int64_t at; int64_t count; };

// HTTP/2 as it begins: SETTINGS and WINDOW_UPDATE for large windows, and a field block (RFC 9113 §6),
// which for the client come after the preface. The last byte is what the connection is for.
#define WINDOWS "\0\0\6\4\0\0\0\0\0\0\4\x7f\xff\xff\xff" "\0\0\4\x8\0\0\0\0\0\x7f\xff\0\0"
static const char opening[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" WINDOWS "\0\0\6\1\4\0\0\0\1\x83\x86\x84\x41\1";
static const char begun[] = WINDOWS "\0\0\1\1\4\0\0\0\1\x88";
enum { OPENING = sizeof opening, BEGUN = sizeof begun - 1 };

static struct sockaddr_in target, upstream;
static enum { PLAINLY, CONNECT, TLS, HTTP2 } speech;
static const char *destination;  // UPSTREAM
static pid_t proxy;
static enum role role;
static char chunk[CHUNK];
static _Atomic int64_t sunk;                 // bytes that sinks have read
static struct arrival *arrivals;
static _Atomic int arrivalCount;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Processor time of the proxy, seconds.
static double busy(void) {
    clockid_t clock;
    struct timespec time;
    if (proxy == 0 || clock_getcpuclockid(proxy, &clock) || clock_gettime(clock, &time)) return 0;
    return time.tv_sec + time.tv_nsec / 1e9;
}

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, errno ? strerror(errno) : "ended");
    exit(1);
}

static struct sockaddr_in address(const char *text) {
    struct sockaddr_in result = {.sin_family = AF_INET};
    char host[64];
    const char *colon = strrchr(text, ':');
    if (!colon || colon - text >= (long)sizeof host) fail("address");
    memcpy(host, text, colon - text);
    host[colon - text] = 0;
    if (inet_pton(AF_INET, host, &result.sin_addr) != 1) fail("address");
    result.sin_port = htons(atoi(colon + 1));
    return result;
}

static void prepare(int fd) {
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void watch(int set, int operation, int fd, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    if (epoll_ctl(set, operation, fd, &event)) fail("epoll_ctl");
}

// Asks the forward proxy at the other end for a connection to the upstream.
static void openTunnel(int fd) {
    char text[256];
    int length = snprintf(text, sizeof text, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", destination, destination);
    if (send(fd, text, length, MSG_NOSIGNAL) != length) fail("CONNECT");
    for (const char *rest = "\r\n\r\n"; *rest;) {
        char byte;
        if (recv(fd, &byte, 1, 0) != 1) fail("the answer to CONNECT");
        rest = byte == *rest ? rest + 1 : byte == '\r' ? "\n\r\n" : "\r\n\r\n";
    }
}

// A connection to the target; blocking, or begun only.
static int dial(int flags) {
    int fd = socket(AF_INET, SOCK_STREAM | flags, 0);
    if (fd < 0) fail("socket");
    prepare(fd);
    if (connect(fd, (struct sockaddr *)&target, sizeof target) && errno != EINPROGRESS) fail("connect");
    if (speech == CONNECT) openTunnel(fd);
    return fd;
}

static void sendAll(int fd, const void *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent < 0) fail("send");
        bytes = (const char *)bytes + sent;
        count -= sent;
    }
}

static void receiveAll(int fd, void *bytes, size_t count) {
    while (count > 0) {
        errno = 0;
        ssize_t received = recv(fd, bytes, count, 0);
        if (received <= 0) fail("receive");
        bytes = (char *)bytes + received;
        count -= received;
    }
}

static void record(int64_t count) {
    int index = atomic_load(&arrivalCount);
    if (index == MOST_ARRIVALS) fail("too many arrivals");
    arrivals[index] = (struct arrival){now(), count};
    atomic_store(&arrivalCount, index + 1);
}

// The server.

// Writes the time into each whole message and sends it back.
static void stamp(int fd) {
    static char held[DESCRIPTORS][STAMPED];
    static size_t part[DESCRIPTORS];
    for (;;) {
        ssize_t received = recv(fd, held[fd] + part[fd], STAMPED - part[fd], 0);
        if (received <= 0) return;
        if ((part[fd] += received) < STAMPED) continue;
        int64_t time = now();
        memcpy(held[fd] + sizeof time, &time, sizeof time);
        sendAll(fd, held[fd], STAMPED);
        part[fd] = 0;
    }
}

// What is timed must not wait for the rest of the load.
static void hurry(void) {
    struct sched_param priority = {.sched_priority = 1};
    pthread_setschedparam(pthread_self(), SCHED_RR, &priority);
}

static void *echo(void *argument) {
    int fd = *(int *)argument;
    char bytes[16384];
    ssize_t count;
    hurry();
    while ((count = recv(fd, bytes, sizeof bytes, 0)) > 0) sendAll(fd, bytes, count);
    return NULL;
}

// What a connection is for; 0 if that has not come yet, -1 if it has ended.
static int purpose(int fd) {
    char bytes[OPENING];
    ssize_t count = recv(fd, bytes, sizeof bytes, MSG_PEEK);
    if (count <= 0) return count < 0 && errno == EAGAIN ? 0 : -1;
    if (speech != HTTP2) return bytes[0];
    if (count < OPENING) return 0;
    receiveAll(fd, bytes, OPENING);
    sendAll(fd, begun, BEGUN);
    return bytes[OPENING - 1];
}

// Makes a source of a connection, or, once, an echo; answers whether it goes on.
static int choose(int fd, int set) {
    static int echoed;
    static pthread_t thread;
    int chosen = purpose(fd);
    if (chosen <= 0) return chosen == 0;
    if (chosen == '!') {
        watch(set, EPOLL_CTL_MOD, fd, EPOLLOUT | EPOLLRDHUP);
        return 1;
    }
    watch(set, EPOLL_CTL_DEL, fd, 0);
    fcntl(fd, F_SETFL, 0);
    echoed = fd;
    if (pthread_create(&thread, NULL, echo, &echoed)) fail("thread");
    return 1;
}

// Answers whether the connection goes on.
static int serve(int fd, uint32_t events, int set) {
    char *buffer = chunk;
    static char small[16384];
    if (role == MIXED && !(events & EPOLLOUT)) return choose(fd, set);
    if ((role == SOURCE || role == MIXED) && events & EPOLLOUT) {
        // Where there are frames, each is sent whole.
        static int sent[DESCRIPTORS];
        for (int turn = 0; turn < 4; turn++) {
            ssize_t count = send(fd, chunk + sent[fd], CHUNK - sent[fd], MSG_NOSIGNAL);
            if (count < 0) return errno == EAGAIN;
            if (speech == HTTP2) sent[fd] = (sent[fd] + count) % FRAME;
        }
        return 1;
    }
    if (role == STAMP) {
        stamp(fd);
        return !(events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP));
    }
    int discards = role == SINK || role == RECORD;
    // MSG_TRUNC: TCP drops the bytes without copying them, so the sink costs the machine little.
    ssize_t count = discards ? recv(fd, buffer, 1 << 20, MSG_TRUNC) : recv(fd, small, sizeof small, 0);
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return 0;
    if (role == ECHO) sendAll(fd, small, count);
    if (role == ANSWER) sendAll(fd, answer, SMALL);
    if (role == SOURCE) watch(set, EPOLL_CTL_MOD, fd, EPOLLOUT | EPOLLRDHUP);
    if (role == RECORD) record(count);
    if (discards) atomic_fetch_add(&sunk, count);
    return 1;
}

static void accepted(int listener, int set) {
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        prepare(fd);
        watch(set, EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLRDHUP);
    }
}

static _Noreturn void *server(void *argument) {
    int listener = *(int *)argument, set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event events[256];
    prctl(PR_SET_TIMERSLACK, 1);
    watch(set, EPOLL_CTL_ADD, listener, EPOLLIN);
    for (;;) {
        int count = epoll_wait(set, events, 256, -1);
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            if (fd == listener) accepted(listener, set);
            else if (!serve(fd, events[i].events, set)) close(fd);
        }
    }
}

static void startServer(enum role chosen) {
    static int listener;
    static pthread_t thread;
    int on = 1;
    role = chosen;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&upstream, sizeof upstream) || listen(listener, 4096))
        fail("listen");
    if (pthread_create(&thread, NULL, server, &listener)) fail("thread");
}

// Figures.

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Prints quantiles of nanoseconds as microseconds.
static void printQuantiles(const char *name, int64_t *values, int count) {
    qsort(values, count, sizeof *values, ascending);
    printf("\"%smin\":%.2f,\"%sp50\":%.2f,\"%sp99\":%.2f,\"%smax\":%.2f,", name, values[0] / 1e3, name,
           values[count / 2] / 1e3, name, values[(int)(count * 0.99)] / 1e3, name,
           values[count - 1] / 1e3);
}

static int64_t *samples(int count) {
    if (count < 1 || count > MOST_SAMPLES) fail("count");
    int64_t *memory = calloc(count, sizeof *memory);
    if (!memory) fail("memory");
    return memory;
}

// Tests.

// Moves bytes on `count` connections until `end`; answers how many were read by this side.
static int64_t exchange(int set, int isUp, int64_t end, int64_t *perDescriptor) {
    struct epoll_event events[64];
    int64_t total = 0;
    while (now() < end) {
        int count = epoll_wait(set, events, 64, 50);
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            errno = 0;
            ssize_t moved = isUp ? send(fd, chunk, CHUNK, MSG_NOSIGNAL)
                                 : recv(fd, chunk, 1 << 20, MSG_TRUNC);
            if (moved == 0 || (moved < 0 && errno != EAGAIN)) fail("bulk");
            if (moved < 0) continue;
            total += moved;
            if (perDescriptor) perDescriptor[fd] += moved;
        }
    }
    return total;
}

static int openMany(int set, int count, uint32_t events, int *descriptors) {
    for (int i = 0; i < count; i++) {
        int fd = dial(0);
        if (events == EPOLLIN) sendAll(fd, "!", 1);
        fcntl(fd, F_SETFL, O_NONBLOCK);
        watch(set, EPOLL_CTL_ADD, fd, events);
        if (descriptors) descriptors[i] = fd;
    }
    return set;
}

static void bulk(char **argument) {
    int isUp = !strcmp(argument[0], "up"), count = atoi(argument[1]);
    int64_t span = atof(argument[2]) * 1e9;
    startServer(isUp ? SINK : SOURCE);
    int set = openMany(epoll_create1(0), count, isUp ? EPOLLOUT : EPOLLIN, NULL);
    exchange(set, isUp, now() + 150000000, NULL);  // windows and buffers grow meanwhile
    int64_t begin = now(), before = atomic_load(&sunk);
    double cpu = busy();
    int64_t bytes = exchange(set, isUp, begin + span, NULL), end = now();
    if (isUp) bytes = atomic_load(&sunk) - before;
    if (bytes == 0) fail("bulk: nothing arrived");
    double seconds = (end - begin) / 1e9;
    printf("{\"rate\":%.4f,\"cpuPerGiB\":%.4f,\"load\":%.3f}\n", bytes / seconds / 1e9,
           (busy() - cpu) / (bytes / 1073741824.0), (busy() - cpu) / seconds);
}

static void trip(char **argument) {
    int size = atoi(argument[0]), count = atoi(argument[1]);
    int64_t *times = samples(count);
    startServer(ECHO);
    int fd = dial(0);
    double cpu = 0;
    for (int i = -200; i < count; i++) {
        int64_t begin = now();
        if (i == 0) cpu = busy();
        sendAll(fd, chunk, size);
        receiveAll(fd, chunk, size);
        if (i >= 0) times[i] = now() - begin;
    }
    cpu = busy() - cpu;
    printf("{");
    printQuantiles("", times, count);
    printf("\"cpu\":%.3f}\n", cpu * 1e6 / count);
}

static void requests(char **argument) {
    int count = atoi(argument[0]);
    int64_t *times = samples(count);
    startServer(ANSWER);
    int fd = dial(0);
    double cpu = 0;
    for (int i = -200; i < count; i++) {
        int64_t begin = now();
        if (i == 0) cpu = busy();
        sendAll(fd, request, SMALL);
        receiveAll(fd, chunk, SMALL);
        if (i >= 0) times[i] = now() - begin;
    }
    cpu = busy() - cpu;
    printf("{");
    printQuantiles("", times, count);
    printf("\"cpu\":%.3f}\n", cpu * 1e6 / count);
}

static void connects(char **argument) {
    int count = atoi(argument[0]), atOnce = atoi(argument[1]), started = 0, done = 0;
    int64_t *times = samples(count);
    static int64_t begun[DESCRIPTORS];
    static int got[DESCRIPTORS];
    startServer(ANSWER);
    int set = epoll_create1(0);
    struct epoll_event events[64];
    double cpu = busy();
    int64_t begin = now();
    while (done < count) {
        while (started < count && started - done < atOnce) {
            int64_t time = now();
            int fd = dial(SOCK_NONBLOCK);
            begun[fd] = time;
            got[fd] = 0;
            watch(set, EPOLL_CTL_ADD, fd, EPOLLOUT);
            started++;
        }
        int ready = epoll_wait(set, events, 64, 5000);
        if (ready <= 0) fail("connect: nothing happens");
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            if (events[i].events & EPOLLOUT) {
                sendAll(fd, request, SMALL);
                watch(set, EPOLL_CTL_MOD, fd, EPOLLIN);
                continue;
            }
            errno = 0;
            ssize_t received = recv(fd, chunk, SMALL, 0);
            if (received <= 0) fail("connect: echo");
            if ((got[fd] += received) < SMALL) continue;
            times[done++] = now() - begun[fd];
            close(fd);
        }
    }
    double seconds = (now() - begin) / 1e9;
    printf("{");
    printQuantiles("", times, count);
    printf("\"rate\":%.1f,\"cpu\":%.2f}\n", count / seconds, (busy() - cpu) * 1e6 / count);
}

static void idle(char **argument) {
    int count = atoi(argument[0]);
    int *descriptors = calloc(count, sizeof *descriptors);
    char byte;
    startServer(ECHO);
    for (int i = 0; i < count; i++) {
        descriptors[i] = dial(0);
        sendAll(descriptors[i], "!", 1);
        // Never more than 64 in the backlog.
        if (i >= 64) receiveAll(descriptors[i - 64], &byte, 1);
    }
    for (int i = count < 64 ? 0 : count - 64; i < count; i++) receiveAll(descriptors[i], &byte, 1);
    puts("{\"open\":true}");
    fflush(stdout);
    getchar();
    // All are still there.
    for (int i = 0; i < count; i++) sendAll(descriptors[i], "?", 1);
    for (int i = 0; i < count; i++) receiveAll(descriptors[i], &byte, 1);
    puts("{\"alive\":true}");
}

static void messages(char **argument) {
    int count = atoi(argument[0]);
    double perSecond = atof(argument[1]) * count, seconds = atof(argument[2]);
    int total = perSecond * seconds, sent = 0, answered = 0;
    int64_t *times = samples(total);
    int *descriptors = calloc(count, sizeof *descriptors);
    static char held[DESCRIPTORS][MESSAGE];
    static int part[DESCRIPTORS];
    startServer(ECHO);
    int set = openMany(epoll_create1(0), count, EPOLLIN | EPOLLET, descriptors);
    struct epoll_event events[256];
    sleep(1);  // handshakes of a slow link
    double cpu = busy();
    int64_t begin = now(), limit = begin + seconds * 1e9 + 5e9;
    while (answered < total && now() < limit) {
        int64_t due = begin + sent / perSecond * 1e9, time = now();
        if (sent < total && time >= due) {
            char message[MESSAGE] = {0};
            memcpy(message, &due, sizeof due);
            if (send(descriptors[sent++ % count], message, MESSAGE, MSG_NOSIGNAL) != MESSAGE)
                fail("messages: send");
            continue;
        }
        int ready = epoll_wait(set, events, 256, sent < total && due - time < 2000000 ? 0 : 1);
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            for (;;) {
                errno = 0;
                ssize_t received = recv(fd, held[fd] + part[fd], MESSAGE - part[fd], 0);
                if (received < 0 && errno == EAGAIN) break;
                if (received <= 0) fail("messages: receive");
                if ((part[fd] += received) < MESSAGE) continue;
                part[fd] = 0;
                int64_t due;
                memcpy(&due, held[fd], sizeof due);
                times[answered++] = now() - due;
            }
        }
    }
    double span = (now() - begin) / 1e9;
    if (answered == 0) fail("messages: no answer");
    printf("{\"sent\":%d,\"answered\":%d,", sent, answered);
    printQuantiles("", times, answered);
    printf("\"load\":%.4f,\"cpu\":%.3f}\n", (busy() - cpu) / span, (busy() - cpu) * 1e6 / answered);
}

static void downloads(char **argument) {
    int count = atoi(argument[0]);
    int64_t skip = atof(argument[1]) * 1e9, span = atof(argument[2]) * 1e9;
    static int64_t perDescriptor[DESCRIPTORS];
    int *descriptors = calloc(count, sizeof *descriptors);
    startServer(SOURCE);
    int set = openMany(epoll_create1(0), count, EPOLLIN, descriptors);
    exchange(set, 0, now() + skip, NULL);
    double cpu = busy(), sum = 0, squares = 0, least = 1e30, most = 0;
    int64_t begin = now();
    int64_t bytes = exchange(set, 0, begin + span, perDescriptor);
    double seconds = (now() - begin) / 1e9;
    for (int i = 0; i < count; i++) {
        double own = perDescriptor[descriptors[i]];
        sum += own;
        squares += own * own;
        if (own < least) least = own;
        if (own > most) most = own;
    }
    // Jain, Chiu, Hawe 1984: 1 when all have the same.
    printf("{\"bitsPerSecond\":%.0f,\"jain\":%.4f,\"least\":%.4f,\"most\":%.4f,\"load\":%.4f}\n",
           bytes * 8 / seconds, sum * sum / (count * squares), least * count / sum,
           most * count / sum, (busy() - cpu) / seconds);
}

static void delays(char **argument) {
    int lanes = atoi(argument[0]), count = atoi(argument[2]), sent = 0, received = 0;
    double perSecond = atof(argument[1]);
    int64_t *up = samples(count), *down = samples(count);
    int *descriptors = calloc(lanes, sizeof *descriptors);
    struct pollfd *entries = calloc(lanes, sizeof *entries);
    static char held[DESCRIPTORS][STAMPED];
    static int part[DESCRIPTORS];
    char message[STAMPED] = {0};
    startServer(STAMP);
    for (int i = 0; i < lanes; i++) {
        descriptors[i] = dial(0);
        entries[i] = (struct pollfd){descriptors[i], POLLIN, 0};
        sendAll(descriptors[i], message, STAMPED);
    }
    for (int i = 0; i < lanes; i++) {
        receiveAll(descriptors[i], message, STAMPED);
        fcntl(descriptors[i], F_SETFL, O_NONBLOCK);
    }
    prctl(PR_SET_TIMERSLACK, 1);
    srand(1);
    int64_t due = now() + 1000000, limit = now() + count / perSecond * 2e9 + 10e9;
    while (received < count) {
        int64_t time = now();
        if (time > limit) fail("delay: messages are missing");
        if (sent < count && time >= due) {
            time = now();
            memcpy(message, &time, sizeof time);
            sendAll(descriptors[sent++ % lanes], message, STAMPED);
            // Not periodic, so as not to run in step with a timer of the proxy.
            due += (0.5 + rand() / (double)RAND_MAX) / perSecond * 1e9;
            continue;
        }
        struct timespec wait = {0, sent < count && due - time < 100000000 ? due - time : 100000000};
        if (ppoll(entries, lanes, &wait, NULL) <= 0) continue;
        for (int i = 0; i < lanes; i++) {
            int fd = descriptors[i];
            while (entries[i].revents && received < count) {
                errno = 0;
                ssize_t got = recv(fd, held[fd] + part[fd], STAMPED - part[fd], 0);
                if (got < 0 && errno == EAGAIN) break;
                if (got <= 0) fail("delay: receive");
                if ((part[fd] += got) < STAMPED) continue;
                int64_t stamps[2], arrived = now();
                part[fd] = 0;
                memcpy(stamps, held[fd], sizeof stamps);
                up[received] = stamps[1] - stamps[0];
                down[received++] = arrived - stamps[1];
            }
        }
    }
    printf("{");
    printQuantiles("up", up, count);
    printQuantiles("down", down, count);
    printf("\"count\":%d}\n", count);
}

// How late the machine itself wakes a process that waits for a time: what no proxy can undo.
static void timers(char **argument) {
    int64_t span = atof(argument[0]) * 1e6, end = now() + atof(argument[1]) * 1e9;
    int64_t *late = samples(MOST_SAMPLES);
    int count = 0;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0), set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(set, EPOLL_CTL_ADD, timer, &event);
    while (now() < end && count < MOST_SAMPLES) {
        uint64_t expirations;
        int64_t due = now() + span;
        struct itimerspec at = {.it_value = {due / 1000000000, due % 1000000000}};
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
        while (epoll_wait(set, &event, 1, -1) != 1) {}
        late[count++] = now() - due;
        if (read(timer, &expirations, sizeof expirations) < 0) fail("timer");
    }
    printf("{");
    printQuantiles("", late, count);
    printf("\"count\":%d}\n", count);
}

// The rate between the first and the last arrival after `from`, and the most bytes in any 100 ms.
static void printArrivals(int64_t from, double cpu, double seconds) {
    int count = atomic_load(&arrivalCount), first = 0;
    while (first < count && arrivals[first].at < from) first++;
    if (count - first < 3) fail("rate: too few arrivals");
    int64_t bytes = 0, window = 0, worst = 0, gap = 0;
    for (int i = first, tail = first; i < count; i++) {
        window += arrivals[i].count;
        while (arrivals[i].at - arrivals[tail].at >= 100000000) window -= arrivals[tail++].count;
        if (window > worst) worst = window;
        if (i == first) continue;
        bytes += arrivals[i].count;
        if (arrivals[i].at - arrivals[i - 1].at > gap) gap = arrivals[i].at - arrivals[i - 1].at;
    }
    double span = (arrivals[count - 1].at - arrivals[first].at) / 1e9;
    printf("{\"bitsPerSecond\":%.1f,\"worst100ms\":%ld,\"longestGap\":%.1f,\"load\":%.4f}\n",
           bytes * 8 / span, (long)worst, gap / 1e3, cpu / seconds);
}

static void rate(char **argument) {
    int isUp = !strcmp(argument[0], "up");
    int64_t skip = atof(argument[1]) * 1e9, span = atof(argument[2]) * 1e9;
    arrivals = calloc(MOST_ARRIVALS, sizeof *arrivals);
    startServer(isUp ? RECORD : SOURCE);
    int fd = dial(0);
    if (!isUp) sendAll(fd, "!", 1);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    int64_t begin = now(), end = begin + skip + span;
    double cpu = busy();
    while (now() < end) {
        struct pollfd entry = {fd, isUp ? POLLOUT : POLLIN, 0};
        if (poll(&entry, 1, 50) <= 0) continue;
        errno = 0;
        ssize_t moved = isUp ? send(fd, chunk, CHUNK, MSG_NOSIGNAL)
                             : recv(fd, chunk, 1 << 20, MSG_TRUNC);
        if (moved == 0 || (moved < 0 && errno != EAGAIN)) fail("rate");
        if (!isUp && moved > 0) record(moved);
    }
    printArrivals(begin + skip, busy() - cpu, (now() - begin) / 1e9);
}

// Each of several clients reads as fast as it can, or 16 KiB ten times a second.
static struct { int *descriptors, count, isSlow; _Atomic int64_t bytes; } readers;

static _Noreturn void *readOn(void *unused) {
    (void)unused;
    int set = epoll_create1(0);
    struct epoll_event events[64];
    for (int i = 0; i < readers.count && !readers.isSlow; i++)
        watch(set, EPOLL_CTL_ADD, readers.descriptors[i], EPOLLIN);
    for (int64_t next = 0, begin = now();; next++) {
        int fd = readers.descriptors[next % readers.count];
        size_t most = 1 << 20;
        if (readers.isSlow) {
            int64_t early = begin + next * 100000000 / readers.count - now();
            if (early > 0) nanosleep(&(struct timespec){0, early}, NULL);
            most = 16384;
        } else {
            if (epoll_wait(set, events, 1, -1) != 1) continue;
            fd = events[0].data.fd;
        }
        ssize_t count = recv(fd, chunk, most, MSG_TRUNC | MSG_DONTWAIT);
        if (count > 0) atomic_fetch_add(&readers.bytes, count);
    }
}

// A DATA frame of the first stream.
static void writeFrame(char *bytes, int size) {
    int length = size - FRAME_HEADER;
    memcpy(bytes, (char[FRAME_HEADER]){length >> 16, length >> 8, length, 0, 0, 0, 0, 0, 1}, FRAME_HEADER);
}

// A connection as the client speaks, and its TLS, if it does.
struct line { int fd; SSL *tls; };

// Opens a connection for a purpose: '!' for a download, anything else for an echo.
static struct line openLine(char purpose) {
    static SSL_CTX *context;
    struct line line = {dial(0), NULL};
    if (speech == TLS) {
        if (!context) context = SSL_CTX_new(TLS_client_method());
        if (!context || !(line.tls = SSL_new(context))) fail("TLS");
        SSL_set_fd(line.tls, line.fd);
        if (SSL_connect(line.tls) != 1) fail("TLS handshake");
    }
    if (speech == HTTP2) {
        char words[OPENING];
        memcpy(words, opening, OPENING - 1);
        words[OPENING - 1] = purpose;
        sendAll(line.fd, words, OPENING);
        receiveAll(line.fd, words, BEGUN);
    } else if (line.tls && purpose == '!') {
        // What comes is discarded as it is: the load need not open it.
        if (SSL_write(line.tls, "!", 1) != 1) fail("TLS");
    } else if (purpose == '!') {
        sendAll(line.fd, "!", 1);
    }
    return line;
}

// Sends a message of TRIP bytes, and waits until it is back.
static void exchangeOnce(struct line line, char *message) {
    if (!line.tls) {
        sendAll(line.fd, message, TRIP);
        return receiveAll(line.fd, message, TRIP);
    }
    if (SSL_write(line.tls, message, TRIP) != TRIP) fail("TLS");
    for (int left = TRIP, got; left > 0; left -= got)
        if ((got = SSL_read(line.tls, message, left)) <= 0) fail("TLS");
}

static void beside(char **argument) {
    int64_t span = atof(argument[2]) * 1e9;
    int64_t *times = samples(1000000);
    int count = 0;
    pthread_t thread;
    char message[TRIP] = "a message";
    for (int i = 0; i < CHUNK && speech == HTTP2; i += FRAME) writeFrame(chunk + i, FRAME);
    if (speech == HTTP2) writeFrame(message, TRIP);
    startServer(MIXED);
    readers.count = atoi(argument[1]);
    readers.isSlow = !strcmp(argument[0], "slow");
    readers.descriptors = calloc(readers.count, sizeof *readers.descriptors);
    for (int i = 0; i < readers.count; i++) readers.descriptors[i] = openLine('!').fd;
    struct line line = openLine('e');
    if (pthread_create(&thread, NULL, readOn, NULL)) fail("thread");
    hurry();
    sleep(readers.isSlow ? 3 : 1);  // windows and buffers grow meanwhile, and all of them fill
    int64_t begin = now(), before = atomic_load(&readers.bytes);
    double cpu = busy();
    while (now() < begin + span && count < 1000000) {
        int64_t sent = now();
        exchangeOnce(line, message);
        times[count++] = now() - sent;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    double seconds = (now() - begin) / 1e9;
    int64_t bytes = atomic_load(&readers.bytes) - before;
    cpu = busy() - cpu;
    printf("{");
    printQuantiles("", times, count);
    printf("\"rate\":%.4f,\"cpuPerGiB\":%.4f}\n", bytes / seconds / 1e9, cpu / (bytes / 1073741824.0));
}

int main(int count, char **argument) {
    static const struct { const char *name; int arguments; void (*run)(char **); } tests[] = {
        {"bulk", 3, bulk}, {"trip", 2, trip}, {"connect", 2, connects}, {"request", 1, requests}, {"idle", 1, idle},
        {"messages", 3, messages}, {"downloads", 3, downloads}, {"delay", 3, delays}, {"rate", 3, rate},
        {"timer", 2, timers}, {"beside", 3, beside},
    };
    struct rlimit limit;
    if (count < 5) {
        fprintf(stderr, "usage: load TARGET UPSTREAM PID TEST ARGUMENT...\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max < DESCRIPTORS ? limit.rlim_max : DESCRIPTORS;
    setrlimit(RLIMIT_NOFILE, &limit);
    static const char *const words[] = {"", "connect=", "tls=", "http2="};
    for (speech = HTTP2; strncmp(argument[1], words[speech], strlen(words[speech])); speech--) {}
    target = address(argument[1] + strlen(words[speech]));
    destination = argument[2];
    upstream = address(argument[2]);
    proxy = atoi(argument[3]);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (strcmp(tests[i].name, argument[4])) continue;
        if (count - 5 != tests[i].arguments) break;
        tests[i].run(argument + 5);
        return 0;
    }
    fprintf(stderr, "load: unknown test or wrong number of arguments\n");
    return 2;
}
