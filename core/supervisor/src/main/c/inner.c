/* Inner: the parent of the JVM and of all that it has started. One loop that never blocks. */
#include "supervisor.h"

#define BATCH 2048
#define TO_TAKE (2 * SECOND)
#define TO_END (10 * SECOND)
#define OUTER_HAS_DIED SIGALRM

static int poller;
static bool has_jvm_ended, stops_itself;
static int64_t take_until, jvm_until;

/* Each round of the loop reads what comes without a start. */
void watch(int file, struct start *start, unsigned events) {
    struct epoll_event event = {.events = events, .data.ptr = start};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, file, &event)) epoll_ctl(poller, EPOLL_CTL_MOD, file, &event);
}

/* Takes one end: of a process, or of any. */
static bool reap(pid_t wanted) {
    int status;
    struct rusage use;
    pid_t pid = wait4(wanted, &status, WNOHANG, &use);
    struct start *start = pid > 0 ? start_of(0, pid) : NULL;
    if (pid > 0 && pid == run->jvm) has_jvm_ended = true, run->jvm_status = status;
    if (!start || start->has_ended) return pid > 0;
    /* A child that has not become its program yet has the file, too: closed alone, it would be told of again and again. */
    if (start->end >= 0) epoll_ctl(poller, EPOLL_CTL_DEL, start->end, NULL), close(start->end);
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

/* Somebody wants this launcher to end; the JVM has a while to take that. */
static void ask_to_stop(int number) {
    if (!run->stop_signal) run->stop_signal = number;
    if (!take_until) take_until = now() + TO_TAKE;
}

void got_signal(int number, const char *grace) {
    tell(NULL, "signal number=%d", number);
    if (*grace) run->grace = atoll(grace) * MILLISECOND;
    if (number == SIGTERM || number == SIGINT || number == SIGHUP) ask_to_stop(number);
}

void signal_taken(void) {
    take_until = NEVER;
}

/* Of the death of outer the kernel tells. */
static void read_signals(int signals, bool *may_reap) {
    struct signalfd_siginfo news;
    while (read(signals, &news, sizeof news) > 0) {
        int number = (int)news.ssi_signo;
        if (number == SIGCHLD) *may_reap = true;
        else if (number != OUTER_HAS_DIED) got_signal(number, "");
        else if (getppid() != run->outer) {
            run->is_outer_gone = true;
            tell(NULL, "signal number=%d", SIGKILL);
            ask_to_stop(SIGTERM);
        }
    }
}

/* The life of the JVM, and the end. */

/* The JVM has said its last word, or nothing that can be understood. */
static void end_conversation(void) {
    conversation_end();
    if (!run->has_verdict && run->has_begun) stop_everything(run->grace);
    has_jvm_ended |= run->is_attached;
    jvm_until = run->has_verdict ? now() + TO_END : 1;
}

/* Nobody else reads what is printed now. Ranks that could print no more could not save. */
static void drain_outputs(void) {
    char bytes[65536];
    for (int i = 1; i < run->most; i++) {
        struct start *start = &run->starts[i];
        ssize_t count = start->id && start->drain >= 0 ? read(start->drain, bytes, sizeof bytes) : 0;
        if (count > 0) run->lost_bytes += count;
    }
}

/* Does what is due. Returns when to look again. */
static int64_t go_on(bool has_changed) {
    int64_t at = now();
    if (take_until && at >= take_until) {
        take_until = NEVER;
        stops_itself = true;
        stop_everything(run->grace);
    }
    int64_t next = stop_step(has_changed), soon = at + (is_jvm_there ? SECOND : 10 * MILLISECOND);
    if (!is_jvm_there) drain_outputs();
    if ((!is_jvm_there || run->stop_signal) && next > soon) next = soon;
    if (has_jvm_ended) return next;
    if (stops_itself && !jvm_until && !stop_is_on()) jvm_until = at + TO_END;
    if (jvm_until && at >= jvm_until) kill(run->jvm, SIGKILL);
    else if (run->stop_signal || run->is_inner_gone) kill(run->jvm, SIGCONT); /* one that stands still obeys nobody */
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

static _Noreturn void loop(int signals) {
    static struct epoll_event events[BATCH];
    bool may_reap = false;
    for (int64_t next = 0;;) {
        int64_t left = (next - now()) / MILLISECOND + 1;
        int timeout = may_reap || left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left, ends = 0;
        int count = epoll_wait(poller, events, BATCH, timeout);
        for (int i = 0; i < count; i++)
            if (events[i].data.ptr) ends += reap(((struct start *)events[i].data.ptr)->pid);
        /* The kernel gives other ends by age, so they come last. */
        bool reaps = may_reap && !ends;
        if (reaps) may_reap = false;
        while (reaps && reap(-1)) ends++;
        read_signals(signals, &may_reap);
        /* After the verdict nobody says more. Whoever else has the socket of a JVM that has ended is not read. */
        if (is_jvm_there && (!conversation_read() || run->has_verdict || has_jvm_ended)) end_conversation();
        next = go_on(ends > 0);
        if (is_done()) end_launcher();
        if (next == NEVER && stop_is_on()) next = 0;
        conversation_flush();
    }
}

_Noreturn void inner_main(const char *attached, char **arguments) {
    sigset_t caught;
    struct rlimit most = {caller.files.rlim_max, caller.files.rlim_max};
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    run->inner = getpid();
    sigprocmask(SIG_SETMASK, NULL, &caught);
    sigaddset(&caught, OUTER_HAS_DIED);
    sigprocmask(SIG_SETMASK, &caught, NULL);
    prctl(PR_SET_PDEATHSIG, OUTER_HAS_DIED);
    if (getppid() != run->outer) raise(OUTER_HAS_DIED); /* it has died before */
    setrlimit(RLIMIT_NOFILE, &most);
    int signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (signals < 0 || poller < 0) leave(75, NO_FILES);
    processes_open();
    watch(signals, NULL, EPOLLIN);
    int conversation = attached ? connect_to(attached) : jvm_start();
    if (conversation < 0) leave(75, "cannot reach the launcher at %s", attached);
    conversation_begin(conversation, attached ? arguments + 2 : arguments);
    loop(signals);
}

/* Outer goes on as inner would have. The kernel has sent SIGTERM to leaders when inner died; the JVM meets the end of its socket, and ends. */
_Noreturn void take_over(int signals) {
    run->is_inner_gone = true;
    run->has_verdict = false;
    run->inner = getpid();
    for (int i = 1; i < run->most; i++) {
        run->starts[i].is_told = true;
        run->starts[i].end = run->starts[i].drain = -1;
    }
    int lock = *run->lock_path ? open(run->lock_path, O_RDONLY | O_CLOEXEC) : -1;
    if (lock >= 0) flock(lock, LOCK_EX | LOCK_NB);
    has_jvm_ended = run->jvm <= 0 || run->is_attached;
    stops_itself = true;
    take_until = NEVER;
    poller = epoll_create1(EPOLL_CLOEXEC);
    watch(signals, NULL, EPOLLIN);
    say("the supervisor process was killed; what it has started is being stopped");
    stop_everything(run->grace);
    loop(signals);
}
