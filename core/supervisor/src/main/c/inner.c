/* Inner: the parent of the JVM and of all that it has started. One loop that never blocks. */
#include "supervisor.h"

#define BATCH 2048
#define TO_TAKE (2 * SECOND)
#define TO_END (10 * SECOND)
#define OUTER_HAS_DIED SIGALRM

struct ending ending;

static int poller;
static bool has_jvm_ended, stops_itself;
static int64_t take_until, jvm_until;

void watch(int file, enum watched kind, int place, unsigned events) {
    struct epoll_event event = {.events = events, .data.u64 = (uint64_t)kind << 32 | (uint32_t)place};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, file, &event)) epoll_ctl(poller, EPOLL_CTL_MOD, file, &event);
}

/* What is watched of those that were started. */

/* A child that has not become its program yet has the file, too: closed alone, it would be told of again and again. */
static void forget(int *file) {
    if (*file < 0) return;
    epoll_ctl(poller, EPOLL_CTL_DEL, *file, NULL);
    close(*file);
    *file = -1;
}

/* While the JVM lives it reads. The end of all writers is told all the same. */
static void drain_output(int *drain) {
    char bytes[65536];
    ssize_t count = is_jvm_there || *drain < 0 ? 0 : read(*drain, bytes, sizeof bytes);
    if (count > 0) ending.lost_bytes += count;
    else if (count == 0 || errno != EAGAIN) forget(drain);
}

/* Takes one end: of a process, or of any. */
static bool reap(pid_t wanted) {
    int status;
    struct rusage use;
    pid_t pid = wait4(wanted, &status, WNOHANG, &use);
    struct start *start = pid > 0 ? start_of(0, pid) : NULL;
    if (pid > 0 && pid == run->jvm) has_jvm_ended = true, ending.jvm_status = status;
    if (!start || start->has_ended) return pid > 0;
    forget(&start->end);
    start->has_ended = true;
    if (start->refusal) {
        char text[100];
        snprintf(text, sizeof text, "%s%s", start->refusal < 0 ? "the working directory: " : "", strerror(abs(start->refusal)));
        tell(text, "failed id=%lld error=%d", (long long)start->id, abs(start->refusal));
        return true;
    }
    long long user = use.ru_utime.tv_sec * 1000000LL + use.ru_utime.tv_usec, system = use.ru_stime.tv_sec * 1000000LL + use.ru_stime.tv_usec;
    tell(NULL, "ended id=%lld status=%d memory=%ld user=%lld system=%lld time=%lld", (long long)start->id, status, use.ru_maxrss, user, system,
        (long long)now());
    return true;
}

/* Signals. */

/* Somebody wants this launcher to end. */
void ask_to_stop(int number) {
    if (!run->stop_signal) run->stop_signal = number;
    if (!take_until) take_until = now() + TO_TAKE;
    if (run->jvm > 0) kill(run->jvm, SIGCONT);
}

static void got_signal(int number) {
    tell(NULL, "signal number=%d", number);
    if (number == SIGTERM || number == SIGINT || number == SIGHUP) ask_to_stop(number);
}

/* Of the death of outer the kernel tells. */
static void read_signals(int signals, bool *may_reap) {
    struct signalfd_siginfo news;
    while (read(signals, &news, sizeof news) > 0) {
        if (news.ssi_signo == SIGCHLD) *may_reap = true;
        else if (news.ssi_signo != OUTER_HAS_DIED) got_signal((int)news.ssi_signo);
        else if (getppid() != run->outer) {
            ending.is_outer_gone = true;
            got_signal(SIGKILL);
            ask_to_stop(SIGTERM);
        }
    }
}

/* Orders. */

static void take_settings(const struct order *order) {
    run->grace = order_number(order, "grace") * MILLISECOND;
    run->code_after_term = (int)order_number(order, "code");
    run->stops_all_at_once = order_number(order, "all");
    snprintf(ending.directory, sizeof ending.directory, "%s", order_text(order, "dir"));
    snprintf(ending.termination_log, sizeof ending.termination_log, "%s", order_text(order, "log"));
}

static void take_verdict(const struct order *order) {
    ending.has_verdict = true;
    ending.code = (int)order_number(order, "code") & 255;
    jvm_until = now() + TO_END;
}

/* False for what is none. */
static bool handle_order(const struct order *order) {
    const char *kind = order->kind, *text = order_text(order, "text");
    int64_t id = order_number(order, "id");
    int number = (int)order_number(order, "number");
    struct start *start = id > 0 ? start_of(id, 0) : NULL;
    if (!ending.has_begun) return ending.has_begun = !strcmp(kind, "ready") && order_number(order, "version") == VERSION;
    if (!strcmp(kind, "start")) return start_process(order);
    if (!strcmp(kind, "stop")) stop_order(order);
    else if (!strcmp(kind, "signal") && start) stop_signal(start, number, order_number(order, "ranks"));
    else if (!strcmp(kind, "release") && start) start->is_released = true;
    else if (!strcmp(kind, "verdict")) take_verdict(order);
    else if (!strcmp(kind, "name")) snprintf(ending.plugin, sizeof ending.plugin, "%s", text);
    else if (!strcmp(kind, "settings")) take_settings(order);
    else if (!strcmp(kind, "lock")) lock_take(order);
    else if (!strcmp(kind, "reply")) control_reply(order);
    else if (!strcmp(kind, "taken")) take_until = NEVER;
    else if (!strcmp(kind, "caught")) got_signal(number);
    else return !strcmp(kind, "signal") || !strcmp(kind, "release");
    return true;
}

/* The JVM has said its last word, or nothing that can be understood. What runs is ended, and read by us. */
static void end_conversation(void) {
    conversation_end();
    for (int place = 1; place < run->most; place++)
        if (run->starts[place].drain >= 0) watch(run->starts[place].drain, DRAIN, place, EPOLLIN);
    if (!ending.has_verdict && ending.has_begun) stop_everything(run->grace);
    has_jvm_ended |= run->is_attached;
    if (!ending.has_verdict) jvm_until = 1;
}

static void read_orders(void) {
    bool goes_on = !is_jvm_there || conversation_read(handle_order);
    /* After the verdict nobody says more. A JVM with a thread that still reads would take 0.3 s to end. */
    if (is_jvm_there && (ending.has_verdict || !goes_on)) end_conversation();
}

/* The life of the JVM, and the end. */

static void begin_conversation(int file) {
    has_jvm_ended = false;
    jvm_until = 0;
    conversation_begin(file);
}

/* Does what is due. Returns when to look again. */
static int64_t go_on(bool has_changed) {
    int64_t at = now();
    if (take_until && at >= take_until) {
        take_until = NEVER;
        stops_itself = true;
        stop_everything(run->grace);
        control_tell("stopping");
    }
    int64_t next = stop_step(has_changed);
    if (has_jvm_ended || run->is_attached) return next;
    if (run->stop_signal) jvm_wake(at);
    if (stops_itself && !jvm_until && !stop_is_on()) jvm_until = at + TO_END;
    if (jvm_until && at >= jvm_until) kill(run->jvm, SIGKILL);
    if ((run->stop_signal || jvm_until) && next > at + SECOND) next = at + SECOND;
    return take_until && take_until < next ? take_until : next;
}

/* Whether all is over. What code in the JVM has started without us ends before us, too. */
static bool is_done(void) {
    static bool is_swept;
    siginfo_t child = {0};
    if (!has_jvm_ended || is_jvm_there || stop_is_on()) return false;
    if (is_swept || waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT)) return true;
    is_swept = true;
    stop_everything(run->grace < 5 * SECOND ? run->grace : 5 * SECOND);
    return false;
}

static void dispatch(const struct epoll_event *event, int signals, int listener, bool *may_reap) {
    int place = (int)(event->data.u64 & 0xffffffff);
    switch ((enum watched)(event->data.u64 >> 32)) {
    case JVM: read_orders(); break;
    case SIGNALS: read_signals(signals, may_reap); break;
    case DRAIN: drain_output(&run->starts[place].drain); break;
    case LISTENER: control_accept(listener); break;
    case CONNECTION: control_read(place); break;
    case END: break;
    }
}

static _Noreturn void loop(int signals, int listener) {
    static struct epoll_event events[BATCH];
    bool may_reap = false;
    for (int64_t next = 0;;) {
        int64_t left = (next - now()) / MILLISECOND + 1;
        int timeout = may_reap || left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left, ends = 0;
        int count = epoll_wait(poller, events, BATCH, timeout);
        for (int i = 0; i < count; i++)
            if (events[i].data.u64 >> 32 == END) ends += reap(run->starts[events[i].data.u64 & 0xffffffff].pid);
        /* The kernel gives other ends by age, so they come last. */
        bool reaps = may_reap && !ends;
        if (reaps) may_reap = false;
        while (reaps && reap(-1)) ends++;
        for (int i = 0; i < count; i++) dispatch(&events[i], signals, listener, &may_reap);
        if (has_jvm_ended && is_jvm_there) read_orders(); /* its last words; whoever else has its socket is not read */
        if (has_jvm_ended && is_jvm_there) end_conversation();
        next = go_on(ends > 0);
        if (has_jvm_ended && !is_jvm_there && jvm_may_begin_again()) begin_conversation(jvm_start(false));
        else if (has_jvm_ended && !is_jvm_there && is_done()) end_launcher();
        if (next == NEVER && stop_is_on()) next = 0;
        conversation_flush();
    }
}

int inner_main(const char *attached, char **arguments) {
    sigset_t caught;
    struct rlimit most = {caller.files.rlim_max, caller.files.rlim_max};
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    run->inner = getpid();
    run->is_attached = attached != NULL;
    launcher_arguments = attached ? arguments + 2 : arguments;
    sigprocmask(SIG_SETMASK, NULL, &caught);
    sigaddset(&caught, OUTER_HAS_DIED);
    sigprocmask(SIG_SETMASK, &caught, NULL);
    sigdelset(&caught, SIGTSTP);
    prctl(PR_SET_PDEATHSIG, OUTER_HAS_DIED);
    if (getppid() != run->outer) raise(OUTER_HAS_DIED); /* it has died before */
    setrlimit(RLIMIT_NOFILE, &most);
    int signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK), listener;
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (signals < 0 || poller < 0) leave(75, NO_FILES);
    processes_open();
    watch(signals, SIGNALS, 0, EPOLLIN);
    if ((listener = control_open()) >= 0) watch(listener, LISTENER, 0, EPOLLIN);
    if (attached) begin_conversation(jvm_attach(attached));
    else begin_conversation(jvm_start(true));
    loop(signals, listener);
}
