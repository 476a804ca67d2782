// Datagrams: a server, a load, and a relay as plain as libuv makes it. ADDRESS:PORT is IPv4 each.
//
//   datagrams relay LISTEN UPSTREAM
//   datagrams bulk PROXY SERVER PID SIZE WINDOW SECONDS   echoed datagrams, WINDOW of them under way
//   datagrams trips PROXY SERVER PID SIZE COUNT           one under way
//   datagrams flows PROXY SERVER PID COUNT                a socket each; waits for a line at the end
//
// The load serves SERVER itself, in a thread, and prints one JSON object. PID is the proxy's, whose
// processor time is read at the begin and the end; 0 for none.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

enum { batch = 64, longest = 65536, shelves = 16384, patience = 200 };

static struct sockaddr_in parse(const char *text) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    char host[64];
    snprintf(host, sizeof host, "%s", text);
    char *colon = strrchr(host, ':');
    if (!colon) exit(64);
    *colon = 0;
    address.sin_port = htons(atoi(colon + 1));
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) exit(64);
    return address;
}

static void failed(const char *what) {
    perror(what);
    exit(1);
}

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

/* Seconds that a process had a processor. */
static double worked(int pid) {
    if (!pid) return 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/schedstat", pid);
    FILE *file = fopen(path, "r");
    unsigned long long nanoseconds = 0;
    if (!file || fscanf(file, "%llu", &nanoseconds) != 1) failed(path);
    fclose(file);
    return nanoseconds / 1e9;
}

static int opened(const struct sockaddr_in *bound, const struct sockaddr_in *peer) {
    int one = socket(AF_INET, SOCK_DGRAM, 0), size = 4 << 20;
    if (one < 0) failed("socket");
    setsockopt(one, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    setsockopt(one, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    if (bound && bind(one, (const void *)bound, sizeof *bound)) failed("bind");
    if (peer && connect(one, (const void *)peer, sizeof *peer)) failed("connect");
    return one;
}

// The server: sends back what it gets.

static void *serve(void *argument) {
    int server = *(int *)argument;
    static char bytes[batch][longest];
    static struct sockaddr_in peers[batch];
    static struct iovec vectors[batch];
    static struct mmsghdr messages[batch];
    for (;;) {
        for (int i = 0; i < batch; i++) {
            vectors[i] = (struct iovec){bytes[i], longest};
            messages[i].msg_hdr = (struct msghdr){
                .msg_name = &peers[i], .msg_namelen = sizeof peers[i],
                .msg_iov = &vectors[i], .msg_iovlen = 1};
        }
        int count = recvmmsg(server, messages, batch, MSG_WAITFORONE, NULL);
        if (count < 0 && errno != EINTR) failed("recvmmsg");
        for (int i = 0; i < count; i++) vectors[i].iov_len = messages[i].msg_len;
        for (int sent = 0; sent < count;) {
            int now = sendmmsg(server, messages + sent, count - sent, 0);
            sent += now > 0 ? now : 1;
        }
    }
    return NULL;
}

// The loads.

static char buffer[longest];

static int bulk(const struct sockaddr_in *proxy, int pid, int size, int window, double time) {
    int client = opened(NULL, proxy);
    static struct iovec vectors[batch];
    static struct mmsghdr out[batch], in[batch];
    static char arrived[batch][longest];
    static struct iovec places[batch];
    for (int i = 0; i < batch; i++) {
        vectors[i] = (struct iovec){buffer, size};
        out[i].msg_hdr = (struct msghdr){.msg_iov = &vectors[i], .msg_iovlen = 1};
        places[i] = (struct iovec){arrived[i], longest};
        in[i].msg_hdr = (struct msghdr){.msg_iov = &places[i], .msg_iovlen = 1};
    }
    long sent = 0, back = 0, lost = 0;
    double began = seconds(), end = began + time, before = worked(pid);
    while (seconds() < end) {
        int room = window - (int)(sent - back - lost);
        for (; room > 0; room -= batch) {
            int count = sendmmsg(client, out, room < batch ? room : batch, 0);
            if (count < 0 && errno != ECONNREFUSED) failed("sendmmsg");
            sent += count > 0 ? count : 0;
        }
        struct pollfd wait = {client, POLLIN, 0};
        if (poll(&wait, 1, patience) == 0) {
            lost = sent - back;
            continue;
        }
        int count = recvmmsg(client, in, batch, MSG_DONTWAIT, NULL);
        if (count > 0) back += count;
    }
    double spent = seconds() - began;
    printf("{\"rate\": %.0f, \"processor\": %.9f, \"lost\": %.6f}\n", back / spent,
           back ? (worked(pid) - before) / back : 0, sent ? (double)lost / sent : 0);
    return 0;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int trips(const struct sockaddr_in *proxy, int size, int count) {
    int client = opened(NULL, proxy);
    double *times = calloc(count, sizeof *times);
    for (int i = 0; i < count; i++) {
        double began = seconds();
        if (send(client, buffer, size, 0) != size) failed("send");
        struct pollfd wait = {client, POLLIN, 0};
        if (poll(&wait, 1, 2000) != 1 || recv(client, buffer, sizeof buffer, 0) != size)
            failed("no answer");
        times[i] = seconds() - began;
    }
    qsort(times, count, sizeof *times, ascending);
    printf("{\"p50\": %.9f, \"p99\": %.9f}\n", times[count / 2], times[count * 99 / 100]);
    return 0;
}

static int flows(const struct sockaddr_in *proxy, int count) {
    struct rlimit limit = {count + 64, count + 64};
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < count; i++) {
        int client = opened(NULL, proxy);
        if (send(client, "x", 1, 0) != 1) failed("send");
        struct pollfd wait = {client, POLLIN, 0};
        if (poll(&wait, 1, 2000) != 1) failed("no answer");
    }
    printf("{\"open\": %d}\n", count);
    fflush(stdout);
    return fgets(buffer, sizeof buffer, stdin) == NULL;
}

// The relay: a connected socket for each client, one buffer, what cannot be sent at once is lost.

struct flow {
    struct sockaddr_in client;
    uv_udp_t socket;
    struct flow *next;
};

static uv_loop_t loop;
static uv_udp_t front;
static struct sockaddr_in upstream;
static struct flow *table[shelves];
static char many[longest * 20];

static void room(uv_handle_t *handle, size_t hint, uv_buf_t *into) {
    (void)hint;
    // libuv makes room for 20 datagrams of it, where that is asked for.
    *into = handle == (uv_handle_t *)&front ? uv_buf_init(many, sizeof many)
                                            : uv_buf_init(buffer, sizeof buffer);
}

static void pass(uv_udp_t *through, const struct sockaddr *peer, const uv_buf_t *bytes, ssize_t count) {
    uv_buf_t part = uv_buf_init(bytes->base, count);
    uv_udp_try_send(through, &part, 1, peer);
}

static void answered(uv_udp_t *socket, ssize_t count, const uv_buf_t *bytes,
                     const struct sockaddr *peer, unsigned flags) {
    (void)flags;
    if (count < 0 || !peer) return;
    struct flow *flow = socket->data;
    pass(&front, (const struct sockaddr *)&flow->client, bytes, count);
}

static void asked(uv_udp_t *socket, ssize_t count, const uv_buf_t *bytes,
                  const struct sockaddr *peer, unsigned flags) {
    (void)socket, (void)flags;
    if (count < 0 || !peer) return;
    const struct sockaddr_in *client = (const void *)peer;
    struct flow **place = &table[ntohs(client->sin_port) % shelves];
    while (*place && ((*place)->client.sin_port != client->sin_port ||
                      (*place)->client.sin_addr.s_addr != client->sin_addr.s_addr))
        place = &(*place)->next;
    if (!*place) {
        struct flow *flow = calloc(1, sizeof *flow);
        flow->client = *client;
        uv_udp_init(&loop, &flow->socket);
        flow->socket.data = flow;
        if (uv_udp_connect(&flow->socket, (const struct sockaddr *)&upstream)) exit(1);
        uv_udp_recv_start(&flow->socket, room, answered);
        *place = flow;
    }
    pass(&(*place)->socket, NULL, bytes, count);
}

static int relay(const char *listen, const char *server) {
    struct rlimit limit = {40000, 40000};
    setrlimit(RLIMIT_NOFILE, &limit);
    struct sockaddr_in address = parse(listen);
    upstream = parse(server);
    uv_loop_init(&loop);
    uv_udp_init_ex(&loop, &front, AF_INET | UV_UDP_RECVMMSG);
    if (uv_udp_bind(&front, (const struct sockaddr *)&address, 0)) failed("bind");
    int size = 4 << 20;
    uv_recv_buffer_size((uv_handle_t *)&front, &size);
    uv_udp_recv_start(&front, room, asked);
    return uv_run(&loop, UV_RUN_DEFAULT);
}

int main(int count, char **words) {
    if (count == 4 && !strcmp(words[1], "relay")) return relay(words[2], words[3]);
    if (count < 6) return 64;
    struct sockaddr_in proxy = parse(words[2]), address = parse(words[3]);
    int server = opened(&address, NULL), pid = atoi(words[4]);
    pthread_t thread;
    pthread_create(&thread, NULL, serve, &server);
    if (count == 8 && !strcmp(words[1], "bulk"))
        return bulk(&proxy, pid, atoi(words[5]), atoi(words[6]), atof(words[7]));
    if (count == 7 && !strcmp(words[1], "trips")) return trips(&proxy, atoi(words[5]), atoi(words[6]));
    if (count == 6 && !strcmp(words[1], "flows")) return flows(&proxy, atoi(words[5]));
    return 64;
}
