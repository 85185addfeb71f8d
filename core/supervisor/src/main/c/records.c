#include "supervisor.h"

#define HEAD 4
#define LIST_COUNT ((size_t)7)

static size_t start_of_record; /* that is being written, from the first byte of its buffer on */

void buffer_add(struct buffer *buffer, const void *bytes, size_t length) {
    size_t used = buffer->end - buffer->begin;
    if (buffer->room - buffer->end < length) {
        if (used) memmove(buffer->bytes, buffer->bytes + buffer->begin, used);
        buffer->begin = 0;
        buffer->end = used;
    }
    if (buffer->room - used < length) {
        size_t room = 2 * (used + length) + 4096;
        char *more = realloc(buffer->bytes, room);
        buffer->is_broken |= !more;
        if (!more) return;
        buffer->bytes = more;
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

/* The next record that is whole; false: there is none, or it is none. */
static char *take_record(struct buffer *buffer, size_t *length) {
    size_t there = buffer->end - buffer->begin;
    unsigned char *at = (unsigned char *)buffer->bytes + buffer->begin;
    if (there < HEAD || buffer->is_broken) return NULL;
    *length = 0;
    for (int byte = 0; byte < HEAD; byte++) *length = *length << 8 | at[byte];
    bool is_whole = there - HEAD >= *length;
    buffer->is_broken = *length < 2 || *length > LARGEST_RECORD || (is_whole && at[HEAD + *length - 1]);
    if (!is_whole || buffer->is_broken) return NULL;
    buffer_take(buffer, HEAD + *length);
    return (char *)at + HEAD;
}

/* False for a key that no order has. */
static bool take_field(struct order *order, char *field) {
    char *value = strchr(field, '=');
    if (!value) return false;
    *value++ = 0;
#define X(name) if (!strcmp(field, #name)) return order->name = atoll(value), true;
    NUMBERS(X)
#undef X
#define X(name) if (!strcmp(field, #name)) return order->name = value, true;
    TEXTS(X)
#undef X
#define X(name) if (!strcmp(field, #name)) return order->name.all[order->name.count++] = value, true;
    LISTS(X)
#undef X
    return false;
}

/* Takes the next order out of the buffer. Its places are to be freed. */
bool order_read(struct buffer *buffer, struct order *order) {
    size_t length, fields = 1;
    char *at = take_record(buffer, &length);
    memset(order, 0, sizeof *order);
    if (!at) return false;
    const char *end = at + length;
    for (size_t i = 0; i < length; i++) fields += !at[i];
    order->kind = at;
    order->text = order->file = order->dir = order->log = order->note = "";
    order->out = "-1";
    char **places = order->places = calloc(fields * LIST_COUNT, sizeof(char *));
    buffer->is_broken |= !places;
#define X(name) order->name.all = places, places += fields;
    LISTS(X)
#undef X
    for (at += strlen(at) + 1; at < end && !buffer->is_broken;) {
        char *next = at + strlen(at) + 1;
        buffer->is_broken = !take_field(order, at);
        at = next;
    }
    if (buffer->is_broken) free(order->places);
    return !buffer->is_broken;
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
