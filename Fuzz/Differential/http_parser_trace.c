// What http_parser says of each case of the standard input; cases.py describes the lines.
// Bytes are given one by one, so that the place of each callback is known.

#include <http_parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 4096 };

static struct { size_t head_end, bytes, end; unsigned digest; int is_ended; } messages[LIMIT];
static int message_count, method_count, answer, stops, is_head_seen;
static unsigned methods[LIMIT];
static size_t place;

static int on_begin(http_parser *parser) {
    (void)parser;
    is_head_seen = 0;
    return 0;
}

static int on_head(http_parser *parser) {
    if (message_count == LIMIT) exit(1);
    memset(&messages[message_count], 0, sizeof messages[0]);
    messages[message_count].head_end = place;
    messages[message_count].digest = 0x811C9DC5;
    message_count++;
    is_head_seen = 1;
    if (parser->type == HTTP_REQUEST) {
        if (method_count == LIMIT) exit(1);
        methods[method_count++] = parser->method;
        stops |= parser->upgrade;
        return 0;
    }
    unsigned method = answer < method_count ? methods[answer] : 0;
    int status = parser->status_code;
    if (status >= 200 || status == 101) answer++;
    if (status == 101 || (method == HTTP_CONNECT && status / 100 == 2)) {
        stops = 1;
        return 2;
    }
    return method == HTTP_HEAD || status == 304 || status / 100 == 1 ? 1 : 0;
}

static int on_body(http_parser *parser, const char *bytes, size_t count) {
    (void)parser;
    messages[message_count - 1].bytes += count;
    for (size_t i = 0; i < count; i++) {
        unsigned *digest = &messages[message_count - 1].digest;
        *digest = (*digest ^ (unsigned char)bytes[i]) * 0x01000193u;
    }
    return 0;
}

static int on_end(http_parser *parser) {
    (void)parser;
    messages[message_count - 1].end = place;
    messages[message_count - 1].is_ended = 1;
    return 0;
}

static void trace(enum http_parser_type type, const char *bytes, size_t count) {
    static const http_parser_settings settings = {
        .on_message_begin = on_begin,
        .on_headers_complete = on_head,
        .on_body = on_body,
        .on_message_complete = on_end,
    };
    http_parser parser;
    http_parser_init(&parser, type);
    char state = 'P';
    message_count = answer = stops = 0;
    for (size_t i = 0; i < count; i++) {
        place = i + 1;
        if (type == HTTP_RESPONSE && answer >= method_count
            && (message_count == 0 || messages[message_count - 1].is_ended)) {
            state = 'S';
            break;
        }
        if (http_parser_execute(&parser, &settings, bytes + i, 1) != 1 || parser.http_errno) {
            state = stops ? 'S' : 'E';
            break;
        }
        if (stops && messages[message_count - 1].is_ended) {
            state = 'S';
            break;
        }
    }
    for (int i = 0; i < message_count; i++) {
        printf("%zu:%zu:%u:", messages[i].head_end, messages[i].bytes, messages[i].digest);
        if (messages[i].is_ended) printf("%zu ", messages[i].end); else printf("- ");
    }
    putchar(state);
}

static size_t decode(const char *text, size_t digits, char *bytes) {
    for (size_t i = 0; i + 1 < digits; i += 2) {
        unsigned value;
        sscanf(text + i, "%2x", &value);
        bytes[i / 2] = (char)value;
    }
    return digits / 2;
}

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        size_t client = strcspn(line, " ");
        size_t server = strcspn(line + client + 1, "\n");
        char *bytes = malloc(client + server + 2);
        method_count = 0;
        trace(HTTP_REQUEST, bytes, decode(line, client, bytes));
        printf(" | ");
        trace(HTTP_RESPONSE, bytes, decode(line + client + 1, server, bytes));
        putchar('\n');
        free(bytes);
    }
    free(line);
    return 0;
}
