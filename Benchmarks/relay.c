// A relay as plain as libuv makes it, to compare with: relay LISTEN UPSTREAM [MILLISECONDS]
// (ADDRESS:PORT each).
//
// One buffer of 64 KiB for all connections. What was read is tried at once on the other socket; the
// rest, if any, is copied and queued, and reading pauses until it has gone. With a delay, what was
// read waits so long in one queue, which a timer of nanoseconds (timerfd) empties.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <uv.h>

struct end {
    uv_tcp_t socket;
    struct end *other;
    int hasEnded;    // its last byte was read
    int wasEnded;    // a FIN was sent to it
};

struct pair {
    struct end client, server;
    uv_connect_t connecting;
    int open;
};

struct rest {
    uv_write_t request;
    struct end *from;
    char bytes[];
};

struct late {
    struct late *next;
    uint64_t due;
    struct end *from;    // NULL once its connection is gone
    ssize_t count;
    char bytes[];
};

static struct sockaddr_in upstream;
static char buffer[65536];
static uint64_t delay;    // nanoseconds
static struct late *oldest, **newest = &oldest;
static int timer;

static struct pair *pairOf(struct end *end) { return end->socket.data; }

static void closed(uv_handle_t *handle) {
    struct pair *pair = handle->data;
    if (--pair->open > 0) return;
    for (struct late *late = oldest; late; late = late->next)
        if (late->from == &pair->client || late->from == &pair->server) late->from = NULL;
    free(pair);
}

static void closeBoth(struct pair *pair) {
    if (!uv_is_closing((uv_handle_t *)&pair->client.socket))
        uv_close((uv_handle_t *)&pair->client.socket, closed);
    if (!uv_is_closing((uv_handle_t *)&pair->server.socket))
        uv_close((uv_handle_t *)&pair->server.socket, closed);
}

static void lend(uv_handle_t *handle, size_t size, uv_buf_t *result) {
    (void)handle, (void)size;
    *result = uv_buf_init(buffer, sizeof buffer);
}

static void wasRead(uv_stream_t *stream, ssize_t count, const uv_buf_t *from);

static void restWritten(uv_write_t *request, int status) {
    struct rest *rest = (struct rest *)request;
    struct end *from = rest->from;
    if (status == 0) uv_read_start((uv_stream_t *)&from->socket, lend, wasRead);
    else if (status != UV_ECANCELED) closeBoth(pairOf(from));
    free(rest);
}

static void wasShut(uv_shutdown_t *request, int status) {
    struct end *end = (struct end *)request->data;
    free(request);
    if (status == UV_ECANCELED) return;
    if (status < 0 || (end->hasEnded && end->other->wasEnded)) closeBoth(pairOf(end));
}

static void passEnd(struct end *to) {
    uv_shutdown_t *request = malloc(sizeof *request);
    request->data = to;
    to->wasEnded = 1;
    if (uv_shutdown(request, (uv_stream_t *)&to->socket, wasShut) < 0) {
        free(request);
        closeBoth(pairOf(to));
    }
}

static void pass(struct end *from, ssize_t count, const char *bytes) {
    uv_stream_t *to = (uv_stream_t *)&from->other->socket;
    if (count == UV_EOF) {
        from->hasEnded = 1;
        passEnd(from->other);
        return;
    }
    if (count < 0) {
        closeBoth(pairOf(from));
        return;
    }
    uv_buf_t all = uv_buf_init((char *)bytes, count);
    int sent = uv_try_write(to, &all, 1);
    if (sent == UV_EAGAIN) sent = 0;
    if (sent == count) return;
    struct rest *rest = sent < 0 ? NULL : malloc(sizeof *rest + count - sent);
    if (!rest) {
        closeBoth(pairOf(from));
        return;
    }
    rest->from = from;
    memcpy(rest->bytes, bytes + sent, count - sent);
    uv_buf_t left = uv_buf_init(rest->bytes, count - sent);
    uv_read_stop((uv_stream_t *)&from->socket);
    if (uv_write(&rest->request, to, &left, 1, restWritten) < 0) {
        free(rest);
        closeBoth(pairOf(from));
    }
}

static void setTimer(void) {
    struct itimerspec when = {0};
    when.it_value.tv_sec = oldest->due / 1000000000;
    when.it_value.tv_nsec = oldest->due % 1000000000;
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static void isDue(uv_poll_t *handle, int status, int events) {
    (void)handle, (void)status, (void)events;
    uint64_t count;
    if (read(timer, &count, sizeof count) < 0) return;
    while (oldest && oldest->due <= uv_hrtime()) {
        struct late *late = oldest;
        oldest = late->next;
        if (!oldest) newest = &oldest;
        if (late->from && !uv_is_closing((uv_handle_t *)&late->from->socket))
            pass(late->from, late->count, late->bytes);
        free(late);
    }
    if (oldest) setTimer();
}

static void wasRead(uv_stream_t *stream, ssize_t count, const uv_buf_t *bytes) {
    struct end *from = (struct end *)stream;
    size_t size = count > 0 ? count : 0;
    struct late *late = delay ? malloc(sizeof *late + size) : NULL;
    if (!late) {
        pass(from, count, bytes->base);
        return;
    }
    late->next = NULL;
    late->due = uv_hrtime() + delay;
    late->from = from;
    late->count = count;
    memcpy(late->bytes, bytes->base, size);
    *newest = late;
    newest = &late->next;
    if (oldest == late) setTimer();
}

static void connected(uv_connect_t *request, int status) {
    struct pair *pair = request->data;
    if (status == UV_ECANCELED) return;
    if (status < 0) {
        closeBoth(pair);
        return;
    }
    uv_read_start((uv_stream_t *)&pair->client.socket, lend, wasRead);
    uv_read_start((uv_stream_t *)&pair->server.socket, lend, wasRead);
}

static void accepted(uv_stream_t *listener, int status) {
    if (status < 0) return;
    struct pair *pair = calloc(1, sizeof *pair);
    uv_tcp_init(listener->loop, &pair->client.socket);
    uv_tcp_init(listener->loop, &pair->server.socket);
    pair->open = 2;
    pair->client.other = &pair->server;
    pair->server.other = &pair->client;
    pair->client.socket.data = pair->server.socket.data = pair->connecting.data = pair;
    const struct sockaddr *address = (const struct sockaddr *)&upstream;
    if (uv_accept(listener, (uv_stream_t *)&pair->client.socket) < 0 ||
        uv_tcp_connect(&pair->connecting, &pair->server.socket, address, connected) < 0) {
        closeBoth(pair);
        return;
    }
    uv_tcp_nodelay(&pair->client.socket, 1);
    uv_tcp_nodelay(&pair->server.socket, 1);
}

static int parse(const char *text, struct sockaddr_in *address) {
    char host[64];
    const char *colon = strrchr(text, ':');
    if (!colon || colon - text >= (long)sizeof host) return -1;
    memcpy(host, text, colon - text);
    host[colon - text] = 0;
    return uv_ip4_addr(host, atoi(colon + 1), address);
}

int main(int count, char **arguments) {
    struct sockaddr_in own;
    struct rlimit limit;
    uv_tcp_t listener;
    if (count < 3 || count > 4 || parse(arguments[1], &own) < 0 || parse(arguments[2], &upstream) < 0) {
        fprintf(stderr, "usage: relay LISTEN UPSTREAM [MILLISECONDS]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (count > 3) {
        static uv_poll_t poll;
        delay = strtoull(arguments[3], NULL, 10) * 1000000;
        timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        uv_poll_init(uv_default_loop(), &poll, timer);
        uv_poll_start(&poll, UV_READABLE, isDue);
    }
    uv_tcp_init(uv_default_loop(), &listener);
    if (uv_tcp_bind(&listener, (const struct sockaddr *)&own, 0) < 0 ||
        uv_listen((uv_stream_t *)&listener, 4096, accepted) < 0) {
        fprintf(stderr, "relay: cannot listen\n");
        return 1;
    }
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
