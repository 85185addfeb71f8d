#include "supervisor.h"

#define HEAD 4

static size_t start_of_record; /* that is being written, from the first byte of its buffer on */

void buffer_add(struct buffer *buffer, const void *bytes, size_t length) {
    size_t used = buffer->end - buffer->begin;
    if (buffer->room - buffer->end < length) {
        size_t room = 2 * (used + length) + 4096;
        char *more = malloc(room);
        buffer->is_broken |= !more;
        if (!more) return;
        if (used) memcpy(more, buffer->bytes + buffer->begin, used);
        free(buffer->bytes);
        buffer->bytes = more;
        buffer->begin = 0;
        buffer->end = used;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->end, bytes, length);
    buffer->end += length;
}

static void buffer_take(struct buffer *buffer, size_t length) {
    buffer->begin += length;
    if (buffer->begin == buffer->end) buffer->begin = buffer->end = 0;
}

/* Sends what the socket takes now. Whether that is all. */
bool buffer_send(struct buffer *buffer, int socket) {
    ssize_t sent = 1;
    while (buffer->end > buffer->begin && sent > 0) {
        sent = send(socket, buffer->bytes + buffer->begin, buffer->end - buffer->begin, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent > 0) buffer_take(buffer, (size_t)sent);
    }
    return buffer->end == buffer->begin;
}

/* Takes the next record out of the buffer. False: there is none that is whole, or it is none. */
bool order_read(struct buffer *buffer, struct order *order) {
    size_t there = buffer->end - buffer->begin, length = 0;
    unsigned char *at = (unsigned char *)buffer->bytes + buffer->begin;
    if (there < HEAD || buffer->is_broken) return false;
    for (int byte = 0; byte < HEAD; byte++) length = length << 8 | at[byte];
    bool is_whole = there - HEAD >= length;
    buffer->is_broken = length < 2 || length > LARGEST_RECORD || (is_whole && at[HEAD + length - 1]);
    if (!is_whole || buffer->is_broken) return false;
    *order = (struct order){(char *)at + HEAD, (char *)at + HEAD + length};
    buffer_take(buffer, HEAD + length);
    return true;
}

/* The next value of a key behind one; NULL: there is none. */
char *order_next(const struct order *order, const char *key, char *value) {
    size_t length = strlen(key);
    for (char *at = value ? value : order->kind; (at += strlen(at) + 1) < order->end;)
        if (!strncmp(at, key, length) && at[length] == '=') return at + length + 1;
    return NULL;
}

/* Empty where it has none. */
const char *order_text(const struct order *order, const char *key) {
    const char *value = order_next(order, key, NULL);
    return value ? value : "";
}

/* 0 where it has none. */
int64_t order_number(const struct order *order, const char *key) {
    return atoll(order_text(order, key));
}

void record_begin(struct buffer *buffer) {
    start_of_record = buffer->end - buffer->begin;
    buffer_add(buffer, "\0\0\0", HEAD);
}

/* A field; without a key its kind. */
void record_add(struct buffer *buffer, const char *key, const char *value) {
    buffer_add(buffer, key, strlen(key));
    if (*key) buffer_add(buffer, "=", 1);
    buffer_add(buffer, value, strlen(value) + 1);
}

void record_number(struct buffer *buffer, const char *key, long long value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    record_add(buffer, key, text);
}

void record_end(struct buffer *buffer) {
    if (buffer->is_broken) return;
    char *head = buffer->bytes + buffer->begin + start_of_record;
    size_t length = buffer->end - buffer->begin - start_of_record - HEAD;
    for (int byte = HEAD - 1; byte >= 0; byte--, length >>= 8) head[byte] = (char)length;
}
