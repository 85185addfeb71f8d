/* Inner: the parent of the JVM and of all processes that the JVM orders. It is one loop that never blocks. */
#include "supervisor.h"

#define TO_END (10 * SECOND)

bool is_jvm_there;

static int poller, conversation;
static bool has_jvm_ended, stops_itself;
static int64_t take_until, jvm_until;
static struct buffer orders;
static FILE *events; /* collects records for the JVM */
static char *unsent;
static size_t length_of_events, sent;

/* Adds a file to the loop. Events of a file without a start need no handler: each round of the loop reads these files. */
void watch(int file, struct start *start, unsigned events) {
    struct epoll_event event = {.events = events, .data.ptr = start};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, file, &event)) epoll_ctl(poller, EPOLL_CTL_MOD, file, &event);
}

/* Sends a record to the JVM. The format has fields with blanks between. The text is one more field, with any characters. */
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
    fwrite(fields, 1, length, events);
    if (text) fprintf(events, "text=%s%c", text, 0);
    fputc(0, events);
}

/* Sends without blocking: inner does not wait for a JVM that does not read. */
static void send_events(void) {
    fflush(events);
    ssize_t count = send(conversation, unsent + sent, length_of_events - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) sent += (size_t)count;
    bool is_all = sent == length_of_events;
    if (is_all) rewind(events), sent = length_of_events = 0;
    watch(conversation, NULL, is_all ? EPOLLIN : EPOLLIN | EPOLLOUT);
}

/* Reaps one ended process: the wanted one, or any if wanted is -1. */
static bool reap(pid_t wanted) {
    int status;
    struct rusage use;
    pid_t pid = wait4(wanted, &status, WNOHANG, &use);
    struct start *start = pid > 0 ? start_of(0, pid) : NULL;
    if (pid > 0 && pid == run->jvm) has_jvm_ended = true, run->jvm_status = status, run->jvm = 0;
    if (!start || start->has_ended) return pid > 0;
    /* A new child that has not called exec yet shares the file: after close alone epoll would report it again and again. */
    if (start->end >= 0) epoll_ctl(poller, EPOLL_CTL_DEL, start->end, NULL), close(start->end);
    start->has_ended = true;
    if (start->refusal) {
        tell(strerror(abs(start->refusal)), "failed id=%lld error=%d", (long long)start->id, start->refusal);
        return true;
    }
    long long user = use.ru_utime.tv_sec * 1000000LL + use.ru_utime.tv_usec, system = use.ru_stime.tv_sec * 1000000LL + use.ru_stime.tv_usec;
    tell(NULL, "ended id=%lld status=%d memory=%ld user=%lld system=%lld time=%lld", (long long)start->id, status, use.ru_maxrss, user, system,
        (long long)now());
    return true;
}

/* Signals. */

/* The JVM has 2 s to take a stop signal. If it does not, inner stops by itself, and a second SIGINT ends the grace. SIGKILL: outer is dead. */
static void got_signal(int number, const char *grace, pid_t sender) {
    static int64_t interrupted_at, interrupted_by;
    if (number == SIGINT && sender != interrupted_by && now() - interrupted_at < SECOND / 5) return; /* sent to a group, it comes twice */
    if (number == SIGINT) interrupted_at = now(), interrupted_by = sender;
    tell(NULL, "signal number=%d", number);
    if (*grace) run->grace = atoll(grace) * MILLISECOND;
    if (number == SIGINT && run->stop_signal == SIGINT && (stops_itself || !is_jvm_there)) stop(NULL, 0);
    if (number != SIGTERM && number != SIGINT && number != SIGHUP && number != SIGKILL) return;
    if (!run->stop_signal) run->stop_signal = number == SIGKILL ? SIGTERM : number;
    if (!take_until) take_until = now() + 2 * SECOND;
}

/* The kernel reports the death of outer by SIGCHLD, too. */
static void read_signals(int signals, bool *may_reap) {
    struct signalfd_siginfo news;
    while (read(signals, &news, sizeof news) > 0)
        if (news.ssi_signo == SIGCHLD) *may_reap = true;
        else got_signal((int)news.ssi_signo, "", (pid_t)news.ssi_pid);
    if (run->is_outer_gone || run->is_inner_gone || getppid() == run->outer) return;
    run->is_outer_gone = true;
    got_signal(SIGKILL, "", 0);
}

/* Orders. */

/* An ending launcher removes the file, so a locked file may have no name any more: then this tries again. Without a file there is no lock. */
static void take_lock(const struct order *order) {
    static int file = -1;
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
}

static void take_settings(const struct order *order) {
    run->grace = order_number(order, "grace") * MILLISECOND;
    run->code_after_term = (int)order_number(order, "code");
    if (*order_text(order, "lost")) run->code_when_lost = (int)order_number(order, "lost");
    run->stops_all_at_once = order_number(order, "all");
    snprintf(run->directory, sizeof run->directory, "%s", order_text(order, "dir"));
    snprintf(run->termination_log, sizeof run->termination_log, "%s", order_text(order, "log"));
}

/* Carries out an order. False: it is no order. */
static bool handle_order(const struct order *order) {
    const char *kind = order->kind, *text = order_text(order, "text");
    int64_t id = order_number(order, "id");
    int number = (int)order_number(order, "number");
    struct start *start = id > 0 ? start_of(id, 0) : NULL;
    if (!run->has_begun) return run->has_begun = !strcmp(kind, "ready") && order_number(order, "version") == VERSION;
    if (!strcmp(kind, "start")) return start_process(order);
    if (!strcmp(kind, "stop")) stop(order, order_number(order, "grace") * MILLISECOND);
    else if (!strcmp(kind, "signal") && start) stop_signal(start, number, order_number(order, "ranks"), order_number(order, "group"));
    else if (!strcmp(kind, "release") && start) start->waits_for_others = false;
    else if (!strcmp(kind, "verdict")) run->has_verdict = true, run->code = (int)order_number(order, "code") & 255;
    else if (!strcmp(kind, "name")) snprintf(run->plugin, sizeof run->plugin, "%s", text);
    else if (!strcmp(kind, "settings")) take_settings(order);
    else if (!strcmp(kind, "socket")) snprintf(run->socket_path, sizeof run->socket_path, "%s", text);
    else if (!strcmp(kind, "lock")) take_lock(order);
    else if (!strcmp(kind, "taken")) take_until = NEVER;
    else if (!strcmp(kind, "caught")) got_signal(number, order_text(order, "grace"), run->jvm);
    else return !strcmp(kind, "signal") || !strcmp(kind, "release");
    return true;
}

/* Reads orders. False: the socket has ended, or the bytes are no order. */
static bool read_orders(void) {
    char bytes[65536];
    ssize_t count;
    struct order order;
    bool is_order = true;
    while ((count = recv(conversation, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) buffer_add(&orders, bytes, (size_t)count);
    bool is_over = count == 0 || (errno != EAGAIN && errno != EINTR);
    while (is_order && order_read(&orders, &order)) is_order = handle_order(&order);
    return !is_over && is_order && !orders.is_broken;
}

/* The life of the JVM, and the end. */

static void begin_conversation(char **arguments) {
    is_jvm_there = true;
    events = open_memstream(&unsent, &length_of_events);
    fprintf(events, "hello%cversion=%d%cpid=%d%cterminal=%d%cdir=%s%c", 0, VERSION, 0, run->outer, 0, isatty(0), 0, run->callers_directory, 0);
    while (*arguments) fprintf(events, "arg=%s%c", *arguments++, 0);
    for (char **variable = environ; *variable; variable++) fprintf(events, "env=%s%c", *variable, 0);
    fputc(0, events);
}

/* The JVM has sent its last record, or bytes that are no record. */
static void end_conversation(void) {
    is_jvm_there = false;
    close(conversation);
    if (!run->has_verdict && run->has_begun) stop(NULL, run->grace);
    has_jvm_ended |= run->is_attached;
    jvm_until = run->has_verdict ? now() + TO_END : 1;
}

/* Without a JVM inner reads the outputs: ranks whose pipe is full would block, and could not save. */
static void drain_outputs(void) {
    char bytes[65536];
    for (int i = 1; i < run->most; i++) {
        struct start *start = &run->starts[i];
        ssize_t count = start->id && start->drain > 0 ? read(start->drain, bytes, sizeof bytes) : 0;
        if (count > 0) run->lost_bytes += count;
    }
}

/* Does everything that is due. Returns the time of the next call. */
static int64_t go_on(bool has_changed) {
    int64_t at = now();
    if (take_until && at >= take_until) {
        take_until = NEVER;
        stops_itself = true;
        stop(NULL, run->grace);
    }
    int64_t next = stop_step(has_changed), soon = at + (is_jvm_there ? SECOND : 10 * MILLISECOND);
    if (!is_jvm_there) drain_outputs();
    if ((!is_jvm_there || run->stop_signal) && next > soon) next = soon;
    if (has_jvm_ended) return next;
    if (stops_itself && !jvm_until && !stop_is_on()) jvm_until = at + TO_END;
    if (jvm_until && at >= jvm_until) kill(run->jvm, SIGKILL);
    else if (run->stop_signal || run->is_inner_gone) kill(run->jvm, SIGCONT); /* a suspended JVM could not end */
    return take_until && take_until < next ? take_until : next;
}

/* Whether all processes have ended. Processes that code in the JVM started by itself are stopped first. */
static bool is_done(void) {
    static bool is_swept;
    siginfo_t child = {0};
    if (!has_jvm_ended || is_jvm_there || stop_is_on()) return false;
    if (is_swept || waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT)) return true;
    is_swept = true;
    stop(NULL, run->grace < 5 * SECOND ? run->grace : 5 * SECOND);
    return false;
}

static _Noreturn void loop(int signals) {
    static struct epoll_event ready[2048];
    bool may_reap = false;
    for (int64_t next = 0;;) {
        int64_t left = (next - now()) / MILLISECOND + 1;
        int timeout = may_reap || left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left, ends = 0;
        int count = epoll_wait(poller, ready, sizeof ready / sizeof *ready, timeout);
        for (int i = 0; i < count; i++)
            if (ready[i].data.ptr) ends += reap(((struct start *)ready[i].data.ptr)->pid);
        /* waitpid(-1) returns ended children by age, not by time of end, so pidfds come first. */
        bool reaps = may_reap && !ends;
        if (reaps) may_reap = false;
        while (reaps && reap(-1)) ends++;
        read_signals(signals, &may_reap);
        /* After the verdict no record follows. When the JVM has ended, another process may hold its socket: inner does not read that. */
        if (is_jvm_there && (!read_orders() || run->has_verdict || has_jvm_ended)) end_conversation();
        next = go_on(ends > 0);
        if (is_done()) end_launcher();
        if (next == NEVER && stop_is_on()) next = 0;
        if (is_jvm_there) send_events();
    }
}

_Noreturn void inner_main(int signals, const char *attached, char **arguments) {
    struct rlimit most = {run->files.rlim_max, run->files.rlim_max};
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    run->inner = getpid();
    prctl(PR_SET_PDEATHSIG, SIGCHLD);
    setrlimit(RLIMIT_NOFILE, &most);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (poller < 0) leave(75, NO_FILES);
    processes_open();
    watch(signals, NULL, EPOLLIN);
    conversation = attached ? connect_to(attached) : jvm_start();
    if (conversation < 0) leave(75, "cannot reach the launcher at %s", attached);
    begin_conversation(attached ? arguments + 2 : arguments);
    loop(signals);
}

/* Outer takes over from a dead inner. The kernel has sent SIGTERM to the leaders when inner died. The JVM reads the end of its socket, and ends. */
_Noreturn void take_over(int signals) {
    run->is_inner_gone = true;
    run->has_verdict = false;
    run->inner = getpid();
    for (int i = 1; i < run->most; i++) {
        run->starts[i].is_told = true;
        run->starts[i].end = run->starts[i].drain = -1;
    }
    flock(open(run->lock_path, O_RDONLY | O_CLOEXEC), LOCK_EX | LOCK_NB);
    has_jvm_ended = run->jvm <= 0 || run->is_attached;
    take_until = 1; /* at once */
    poller = epoll_create1(EPOLL_CLOEXEC);
    watch(signals, NULL, EPOLLIN);
    say(-1, "the supervisor process was killed; what it has started is being stopped");
    loop(signals);
}
