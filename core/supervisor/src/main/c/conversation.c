/* Speaks with the JVM, in records, and never waits for it. */
#include "supervisor.h"

bool is_jvm_there;
char **launcher_arguments;

static struct buffer to_jvm, from_jvm;
static int conversation = -1;

/* Tells the JVM. The format has its fields with blanks between; text is one more, which may hold anything. */
void tell(const char *text, const char *format, ...) {
    char fields[600];
    va_list values;
    if (!is_jvm_there || run->is_inner_gone) return;
    va_start(values, format);
    vsnprintf(fields, sizeof fields, format, values);
    va_end(values);
    size_t length = strlen(fields) + 1;
    for (size_t at = 0; at < length; at++)
        if (fields[at] == ' ') fields[at] = 0;
    record_begin(&to_jvm);
    buffer_add(&to_jvm, fields, length);
    if (text) record_add(&to_jvm, "text", text);
    record_end(&to_jvm);
}

void conversation_flush(void) {
    if (is_jvm_there) watch(conversation, JVM, 0, buffer_send(&to_jvm, conversation) ? EPOLLIN : EPOLLIN | EPOLLOUT);
}

void conversation_begin(int file) {
    conversation = file;
    is_jvm_there = true;
    record_begin(&to_jvm);
    record_add(&to_jvm, "", "hello");
    for (char **word = launcher_arguments; *word; word++) record_add(&to_jvm, "arg", *word);
    for (char **variable = caller.environment; *variable; variable++) record_add(&to_jvm, "env", *variable);
    record_add(&to_jvm, "dir", caller.directory);
    record_number(&to_jvm, "version", VERSION);
    record_number(&to_jvm, "pid", run->outer);
    record_number(&to_jvm, "terminal", isatty(0));
    record_end(&to_jvm);
    conversation_flush();
}

/* False when there was the last record, or something that is none. */
bool conversation_read(bool (*handle)(const struct order *order)) {
    char bytes[65536];
    ssize_t count;
    struct order order;
    bool is_order = true;
    while ((count = recv(conversation, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) buffer_add(&from_jvm, bytes, (size_t)count);
    bool is_over = count == 0 || (errno != EAGAIN && errno != EINTR);
    while (is_order && order_read(&from_jvm, &order)) is_order = handle(&order);
    return !is_over && is_order && !from_jvm.is_broken;
}

void conversation_end(void) {
    is_jvm_there = false;
    close(conversation);
}
