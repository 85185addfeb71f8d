/* Reads the JVM's orders from the bytes that it has sent. */
#include "supervisor.h"

void buffer_add(struct buffer *buffer, const void *bytes, size_t length) {
    size_t used = buffer->end - buffer->begin;
    char *all = malloc(used + length);
    buffer->is_broken |= !all;
    if (!all) return;
    if (used) memcpy(all, buffer->bytes + buffer->begin, used);
    memcpy(all + used, bytes, length);
    free(buffer->bytes);
    *buffer = (struct buffer){.bytes = all, .end = used + length};
}

/* Takes the next record. False: no complete record has come, or the bytes are no record. */
bool order_read(struct buffer *buffer, struct order *order) {
    char *begin = buffer->bytes + buffer->begin;
    size_t there = buffer->end - buffer->begin;
    char *end = there ? memmem(begin, there, "\0", 2) : NULL;
    buffer->is_broken |= there && (!*begin || (!end && there > (size_t)16 << 20));
    if (!end || buffer->is_broken) return false;
    *order = (struct order){begin, end + 1};
    buffer->begin += (size_t)(end - begin) + 2;
    return true;
}

/* The next value of a key after value, or the first if value is NULL; NULL: there is none. */
char *order_next(const struct order *order, const char *key, char *value) {
    size_t length = strlen(key);
    for (char *at = value ? value : order->kind; (at += strlen(at) + 1) < order->end;)
        if (!strncmp(at, key, length) && at[length] == '=') return at + length + 1;
    return NULL;
}

/* The value of a key; empty if the record has none. */
const char *order_text(const struct order *order, const char *key) {
    const char *value = order_next(order, key, NULL);
    return value ? value : "";
}

/* The number of a key; 0 if the record has none. */
int64_t order_number(const struct order *order, const char *key) {
    return atoll(order_text(order, key));
}
