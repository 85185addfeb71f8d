/* Speaks with the JVM, in records, and never waits for it. */
#include "supervisor.h"

bool is_jvm_there;

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
    if (is_jvm_there) watch(conversation, NULL, buffer_send(&to_jvm, conversation) ? EPOLLIN : EPOLLIN | EPOLLOUT);
}

void conversation_begin(int file, char **arguments) {
    conversation = file;
    is_jvm_there = true;
    record_begin(&to_jvm);
    record_add(&to_jvm, "", "hello");
    while (*arguments) record_add(&to_jvm, "arg", *arguments++);
    for (char **variable = environ; *variable; variable++) record_add(&to_jvm, "env", *variable);
    record_add(&to_jvm, "dir", caller.directory);
    record_number(&to_jvm, "version", VERSION);
    record_number(&to_jvm, "pid", run->outer);
    record_number(&to_jvm, "terminal", isatty(0));
    record_end(&to_jvm);
}

/* Whoever leaves removes the file, so that what we have locked may not be there any more. Where none can be made nobody is kept out. */
static void take_lock(const struct order *order) {
    static int file = -1;
    const char *text = order_text(order, "text");
    struct stat opened, named;
    bool is_busy, is_there;
    if (file >= 0) unlink(run->lock_path);
    snprintf(run->lock_path, sizeof run->lock_path, "%s", order_text(order, "file"));
    do {
        if (file >= 0) close(file);
        file = open(run->lock_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        is_busy = file >= 0 && flock(file, LOCK_EX | LOCK_NB);
        is_there = file < 0 || (!fstat(file, &opened) && !stat(run->lock_path, &named) && opened.st_ino == named.st_ino);
    } while (!is_busy && !is_there);
    tell(NULL, is_busy ? "busy" : "locked");
    if (is_busy) close(file), file = -1, *run->lock_path = 0;
    else if (file >= 0 && (ftruncate(file, 0) || write(file, text, strlen(text)) < 0))
        say("warning: cannot write %s: %s", run->lock_path, strerror(errno));
}

static void take_settings(const struct order *order) {
    run->grace = order_number(order, "grace") * MILLISECOND;
    run->code_after_term = (int)order_number(order, "code");
    run->stops_all_at_once = order_number(order, "all");
    snprintf(run->directory, sizeof run->directory, "%s", order_text(order, "dir"));
    snprintf(run->termination_log, sizeof run->termination_log, "%s", order_text(order, "log"));
}

/* False for what is none. */
static bool handle_order(const struct order *order) {
    const char *kind = order->kind, *text = order_text(order, "text");
    int64_t id = order_number(order, "id");
    int number = (int)order_number(order, "number");
    struct start *start = id > 0 ? start_of(id, 0) : NULL;
    if (!run->has_begun) return run->has_begun = !strcmp(kind, "ready") && order_number(order, "version") == VERSION;
    if (!strcmp(kind, "start")) return start_process(order);
    if (!strcmp(kind, "stop")) stop_order(order);
    else if (!strcmp(kind, "signal") && start) stop_signal(start, number, order_number(order, "ranks"));
    else if (!strcmp(kind, "release") && start) start->waits_for_others = false;
    else if (!strcmp(kind, "verdict")) run->has_verdict = true, run->code = order_number(order, "code") & 255;
    else if (!strcmp(kind, "name")) snprintf(run->plugin, sizeof run->plugin, "%s", text);
    else if (!strcmp(kind, "settings")) take_settings(order);
    else if (!strcmp(kind, "socket")) snprintf(run->socket_path, sizeof run->socket_path, "%s", text);
    else if (!strcmp(kind, "lock")) take_lock(order);
    else if (!strcmp(kind, "taken")) signal_taken();
    else if (!strcmp(kind, "caught")) got_signal(number, order_text(order, "grace"));
    else return !strcmp(kind, "signal") || !strcmp(kind, "release");
    return true;
}

/* False when there was the last record, or something that is none. */
bool conversation_read(void) {
    char bytes[65536];
    ssize_t count;
    struct order order;
    bool is_order = true;
    while ((count = recv(conversation, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) buffer_add(&from_jvm, bytes, (size_t)count);
    bool is_over = count == 0 || (errno != EAGAIN && errno != EINTR);
    while (is_order && order_read(&from_jvm, &order)) is_order = handle_order(&order);
    return !is_over && is_order && !from_jvm.is_broken;
}

void conversation_end(void) {
    is_jvm_there = false;
    close(conversation);
}
