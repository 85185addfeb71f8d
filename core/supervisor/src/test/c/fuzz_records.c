/* A libFuzzer target: what the JVM sends is read whole, and cut into pieces. Both give the same orders, or the same refusal. */
#include "supervisor.h"

static uint64_t digest;

static void take(const char *text) {
    do digest = (digest ^ (unsigned char)*text) * UINT64_C(1099511628211);
    while (*text++);
}

/* Reads all orders that are there, and every byte of their words. */
static void read_all(struct buffer *buffer) {
    struct order order;
    while (order_read(buffer, &order)) {
        take(order.kind);
        take(order_text(&order, "text"));
        for (char *word = NULL; (word = order_next(&order, "arg", word));) take(word);
        digest += (uint64_t)order_number(&order, "id");
    }
}

/* Whether it is no sequence of records. */
static bool read_pieces(const uint8_t *data, size_t size, size_t piece) {
    struct buffer buffer = {0};
    digest = 0;
    for (size_t at = 0; at < size && !buffer.is_broken; at += piece) {
        buffer_add(&buffer, data + at, size - at < piece ? size - at : piece);
        read_all(&buffer);
    }
    free(buffer.bytes);
    return buffer.is_broken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    bool is_broken = read_pieces(data, size, size);
    uint64_t expected = digest;
    if (read_pieces(data, size, 1 + data[size - 1] % 16) != is_broken || (!is_broken && digest != expected)) abort();
    return 0;
}
