/* Inner: the parent of the JVM and of all that it has started. One loop that never blocks. */
#include "supervisor.h"

#define BATCH 2048
#define TO_TAKE (2 * SECOND)
#define TO_GO_ON (5 * SECOND)
#define TO_END (10 * SECOND)
#define NO_FILES "no more files can be opened here: a limit is reached (ulimit -n)"
#define NO_PROCESSES "no process can be made here: a limit is reached (ulimit -u, or pids.max of the container)"

bool is_jvm_there;

static struct buffer to_jvm, from_jvm;
static int poller, conversation = -1, from_outer = -1;
static bool has_begun, has_verdict, has_jvm_ended, is_outer_gone, stops_itself;
static int verdict_code, jvm_status;
char plugin[256];
static char directory[4096], termination_log[4096], sentence[2000], **launcher_arguments;
static int64_t take_until, stopped_since, jvm_until, lost_bytes;
static struct files {
    int end, report, drain;
    bool has_failed;
} files[MOST_STARTS];

void watch(int file, enum watched kind, int place, unsigned events) {
    struct epoll_event event = {.events = events, .data.u64 = (uint64_t)kind << 32 | (uint32_t)place};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, file, &event)) epoll_ctl(poller, EPOLL_CTL_MOD, file, &event);
}

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

static void flush(void) {
    if (is_jvm_there) watch(conversation, JVM, 0, buffer_send(&to_jvm, conversation) ? EPOLLIN : EPOLLIN | EPOLLOUT);
}

static int columns(void) {
    struct winsize size;
    return ioctl(2, TIOCGWINSZ, &size) ? 0 : size.ws_col ? size.ws_col : 80;
}

static void tell_hello(void) {
    uint64_t ignored = 0;
    for (int number = 1; number <= 64; number++) ignored |= (uint64_t)(sigismember(&caller.ignored, number) == 1) << (number - 1);
    record_begin(&to_jvm);
    record_add(&to_jvm, "", "hello");
    for (char **word = launcher_arguments; *word; word++) record_add(&to_jvm, "arg", *word);
    for (char **variable = caller.environment; *variable; variable++) record_add(&to_jvm, "env", *variable);
    record_add(&to_jvm, "dir", caller.directory);
    record_number(&to_jvm, "version", VERSION);
    record_number(&to_jvm, "pid", run->outer);
    record_number(&to_jvm, "ignored", (long long)ignored);
    record_number(&to_jvm, "columns", columns());
    record_number(&to_jvm, "terminal", isatty(0));
    record_number(&to_jvm, "first", run->outer == 1);
    record_end(&to_jvm);
    flush();
}

/* What is watched of those that were started. */

void watch_start(struct start *start, int report, int drain) {
    int place = (int)(start - run->starts);
    files[place] = (struct files){(int)syscall(SYS_pidfd_open, start->pid, 0), report, drain, false};
    fcntl(report, F_SETFL, O_NONBLOCK);
    watch(report, REPORT, place, EPOLLIN);
    if (files[place].end >= 0) watch(files[place].end, END, place, EPOLLIN);
    if (drain >= 0) watch(drain, DRAIN, place, 0);
}

static void forget(int *file) {
    if (*file >= 0) close(*file);
    *file = -1;
}

/* While the JVM lives it reads. The end of all writers is told all the same. */
static void hear_drain(int *drain) {
    char bytes[65536];
    ssize_t count = is_jvm_there || *drain < 0 ? 0 : read(*drain, bytes, sizeof bytes);
    if (count > 0) lost_bytes += count;
    else if (count == 0 || errno != EAGAIN) forget(drain);
}

/* Its end tells that the program has begun. */
static void hear_report(int place) {
    int refusal;
    if (files[place].report < 0) return;
    ssize_t count = read(files[place].report, &refusal, sizeof refusal);
    if (count < 0 && errno == EAGAIN) return;
    forget(&files[place].report);
    files[place].has_failed = count > 0;
    if (count <= 0) return;
    char text[100];
    snprintf(text, sizeof text, "%s%s", refusal < 0 ? "the working directory: " : "", strerror(abs(refusal)));
    tell(text, "failed id=%lld error=%d", (long long)run->starts[place].id, abs(refusal));
}

/* Takes one end: of a process, or of any. */
static bool reap(pid_t wanted) {
    int status;
    struct rusage use;
    pid_t pid = wait4(wanted, &status, WNOHANG, &use);
    struct start *start = pid > 0 ? start_of(0, pid) : NULL;
    if (pid > 0 && pid == run->jvm) has_jvm_ended = true, jvm_status = status;
    if (!start || start->has_ended) return pid > 0;
    int place = (int)(start - run->starts);
    hear_report(place);
    forget(&files[place].report);
    forget(&files[place].end);
    start->has_ended = true;
    long long user = use.ru_utime.tv_sec * 1000000LL + use.ru_utime.tv_usec, system = use.ru_stime.tv_sec * 1000000LL + use.ru_stime.tv_usec;
    if (!files[place].has_failed)
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

static void got_signal(int number, int sender) {
    if (number == SIGWINCH) tell(NULL, "resized columns=%d", columns());
    else tell(NULL, "signal number=%d sender=%d", number, sender);
    if (number == SIGTERM || number == SIGINT || number == SIGHUP) ask_to_stop(number);
}

static void hear_outer(void) {
    int words[2];
    ssize_t count = recv(from_outer, words, sizeof words, MSG_DONTWAIT);
    if (count == sizeof words) got_signal(words[0], words[1]);
    if (count != 0) return;
    epoll_ctl(poller, EPOLL_CTL_DEL, from_outer, NULL);
    is_outer_gone = true;
    got_signal(SIGKILL, 0);
    ask_to_stop(SIGTERM);
}

static void hear_signals(int signals, bool *may_reap) {
    struct signalfd_siginfo news;
    while (read(signals, &news, sizeof news) > 0) {
        if (news.ssi_signo == SIGCHLD) *may_reap = true;
        else got_signal((int)news.ssi_signo, (int)news.ssi_pid);
    }
}

/* Orders. */

static void take_settings(const struct order *order) {
    run->grace = order->grace * MILLISECOND;
    run->code_after_term = (int)order->code;
    run->stops_all_at_once = order->all;
    snprintf(directory, sizeof directory, "%s", order->dir);
    snprintf(termination_log, sizeof termination_log, "%s", order->log);
}

static void take_verdict(const struct order *order) {
    has_verdict = true;
    verdict_code = (int)order->code & 255;
    snprintf(sentence, sizeof sentence, "%s", order->text);
    jvm_until = now() + TO_END;
}

/* False for what is none. */
static bool obey(struct order *order) {
    const char *kind = order->kind;
    struct start *start = order->id > 0 ? start_of(order->id, 0) : NULL;
    if (!has_begun) return has_begun = !strcmp(kind, "ready") && order->version == VERSION;
    if (!strcmp(kind, "start")) return start_process(order);
    if (!strcmp(kind, "stop")) stop_order(order);
    else if (!strcmp(kind, "signal") && start) stop_signal(start, (int)order->number, (int)order->scope);
    else if (!strcmp(kind, "release") && start) start->is_released = true;
    else if (!strcmp(kind, "verdict")) take_verdict(order);
    else if (!strcmp(kind, "name")) snprintf(plugin, sizeof plugin, "%s", order->text);
    else if (!strcmp(kind, "settings")) take_settings(order);
    else if (!strcmp(kind, "lock")) lock_take(order->text, order->node, order->grace);
    else if (!strcmp(kind, "reply")) control_reply(order->connection, order->text, order->last);
    else if (!strcmp(kind, "taken")) take_until = NEVER;
    else if (!strcmp(kind, "caught")) got_signal((int)order->number, 0);
    else return !strcmp(kind, "signal") || !strcmp(kind, "release");
    return true;
}

/* The JVM has said its last word, or nothing that can be understood. What runs is ended, and read by us. */
static void end_conversation(void) {
    is_jvm_there = false;
    close(conversation);
    for (int place = 1; place < run->most; place++)
        if (files[place].drain >= 0) watch(files[place].drain, DRAIN, place, EPOLLIN);
    if (!has_verdict && has_begun) stop_everything(run->grace);
    has_jvm_ended |= run->is_attached;
    if (!has_verdict) jvm_until = 1;
}

static void hear_jvm(void) {
    char bytes[65536];
    ssize_t count;
    struct order order;
    bool is_order = true;
    if (!is_jvm_there) return;
    while ((count = recv(conversation, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) buffer_add(&from_jvm, bytes, (size_t)count);
    bool is_over = count == 0 || (errno != EAGAIN && errno != EINTR);
    while (is_order && order_read(&from_jvm, &order)) {
        is_order = obey(&order);
        free(order.places);
    }
    bool is_last = has_verdict && run->is_attached; /* then the JVM waits for our end */
    if (is_over || is_last || !is_order || from_jvm.is_broken) end_conversation();
}

/* The life of the JVM, and the end. */

static void begin_conversation(int file) {
    conversation = file;
    is_jvm_there = true;
    has_jvm_ended = false;
    jvm_until = 0;
    watch(conversation, JVM, 0, EPOLLIN);
    tell_hello();
}

static void begin_jvm(bool has_class_data) {
    int ends[2];
    char **environment, **command = java_command(&environment, has_class_data);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) leave(75, NO_FILES);
    run->jvm = start_jvm(command, environment, ends[1]);
    if (run->jvm < 0) leave(75, NO_PROCESSES);
    close(ends[1]);
    begin_conversation(ends[0]);
}

static void attach(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct ucred peer = {0};
    socklen_t length = sizeof peer;
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address)) leave(75, "cannot reach the launcher at %s", path);
    if (!getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &length)) run->jvm = peer.pid;
    begin_conversation(file);
}

/* Processes that can be made now, of those that a JVM needs; counted by trying. */
static int count_room(int needed) {
    pid_t children[64];
    int count = 0;
    while (count < needed && (children[count] = fork()) >= 0) {
        if (children[count] == 0) pause(), _exit(0);
        count++;
    }
    for (int i = 0; i < count; i++) kill(children[i], SIGKILL), waitpid(children[i], NULL, 0);
    return count;
}

/* A JVM has ended before the launcher had begun. Class data that was cut off kills it: without it the same command works. */
static bool begin_again(void) {
    const int NEEDED = 24;
    struct rlimit memory;
    int status = WIFEXITED(jvm_status) ? WEXITSTATUS(jvm_status) : -1;
    if (has_begun || run->stop_signal || is_outer_gone) return false;
    if (status == 69) exit(69); /* the Java is too old, and it has said so */
    if (status == 126 || status == 127) leave(69, "the Java that was found cannot be run. Set JAVA_HOME to another one");
    if (!getrlimit(RLIMIT_AS, &memory) && memory.rlim_cur < 4096 * INT64_C(1048576))
        leave(78, "RLIMIT_AS (ulimit -v) is %llu KiB, too little for a JVM. Raise it", (unsigned long long)memory.rlim_cur / 1024);
    if (!getrlimit(RLIMIT_DATA, &memory) && memory.rlim_cur < 1024 * INT64_C(1048576))
        leave(78, "RLIMIT_DATA (ulimit -d) is %llu KiB, too little for a JVM. Raise it", (unsigned long long)memory.rlim_cur / 1024);
    int room = count_room(NEEDED);
    if (room < NEEDED)
        leave(78, "the launcher needs %d processes and threads, and %d can be made here: pids.max of the container, or ulimit -u. Raise it", NEEDED, room);
    if (!java_has_class_data) return false;
    begin_jvm(false);
    return true;
}

static const char *signal_name(int number) {
    static const char *const FIRST[] = {"0", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM"};
    return number < 16 ? FIRST[number] : strsignal(number);
}

static void describe_end(void) {
    const char *when = has_begun ? "before it could tell how the job ended" : "before the launcher had begun";
    int status = WIFEXITED(jvm_status) ? WEXITSTATUS(jvm_status) : 0, used;
    if (WIFSIGNALED(jvm_status)) used = snprintf(sentence, sizeof sentence, "the launcher's JVM was killed by SIG%s %s", signal_name(WTERMSIG(jvm_status)), when);
    else used = snprintf(sentence, sizeof sentence, "the launcher's JVM %s %d %s", status == 3 ? "ran out of memory: exit status" : "ended with exit status", status, when);
    if (WIFSIGNALED(jvm_status) && WTERMSIG(jvm_status) == SIGKILL) used = describe_memory_kills(sentence, used, sizeof sentence);
    if (*plugin) used += snprintf(sentence + used, sizeof sentence - (size_t)used, ": code of %s ran in it, and may have ended it. Report that to its author", plugin);
    if (lost_bytes) snprintf(sentence + used, sizeof sentence - (size_t)used, "; %lld bytes that were printed after that are lost", (long long)lost_bytes);
}

/* What kubectl shows of a container that has ended. */
static void write_termination_log(int code) {
    FILE *log = *termination_log ? fopen(termination_log, "ae") : NULL;
    if (!log) return;
    fprintf(log, "%sexit %d: %s\n", ftell(log) ? "\n" : "", code, sentence);
    fclose(log);
}

static void remove_tree(int parent, const char *name) {
    struct dirent *entry;
    int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *tree = file < 0 ? NULL : fdopendir(file);
    while (tree && (entry = readdir(tree)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && unlinkat(dirfd(tree), entry->d_name, 0)) remove_tree(dirfd(tree), entry->d_name);
    if (tree) closedir(tree);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Whether a file is the key that the run's directory has, and not one that another run has made. */
static bool is_own_key(const char *path) {
    char key[4200], text[2][8192] = {"", ""};
    snprintf(key, sizeof key, "%s/key", directory);
    for (int i = 0; i < 2; i++) {
        int file = open(i ? key : path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0 || read(file, text[i], sizeof text[i] - 1) <= 0) *text[i] = 0;
        if (file >= 0) close(file);
    }
    return *text[0] && !strcmp(text[0], text[1]);
}

/* The run's directory, and what ranks have listed there: files that MPI has in other places. Behind a "/": a directory, when it is empty. */
static void remove_files(void) {
    char path[4200];
    snprintf(path, sizeof path, "%s/elsewhere", directory);
    FILE *list = *directory ? fopen(path, "re") : NULL;
    while (list && fgets(path, sizeof path, list)) {
        char *end = strchr(path, '\n'), *at = strchr(path, '/');
        if (!at || !end || !strchr(at + 1, '/') || strstr(path, "/../")) continue;
        *end = 0;
        if (at > path && !strncmp(path, "key ", 4) && is_own_key(at)) unlink(at); /* "job-key": restarts need it */
        if (at > path) continue;
        if (end[-1] == '/') rmdir(path);
        else remove_tree(AT_FDCWD, path);
    }
    if (list) fclose(list);
    if (*directory) remove_tree(AT_FDCWD, directory);
}

static _Noreturn void finish(void) {
    int number = run->stop_signal, code = verdict_code;
    bool is_refused = !has_verdict && !number && !*plugin && WIFEXITED(jvm_status) && WEXITSTATUS(jvm_status) == 75;
    if (is_refused && !is_outer_gone) exit(75); /* it had no thread to speak with us, and has said so */
    if (!has_verdict) {
        code = is_outer_gone ? 75 : number == SIGTERM ? run->code_after_term : number ? 128 + number : 70;
        describe_end();
        write_termination_log(code);
        remove_files();
    }
    control_end(code);
    bool is_stop = number && !has_verdict;
    if (!is_outer_gone) kill(run->outer, SIGCONT);
    if (*sentence && !run->is_attached) say("exit %d: %s%s%s%s", code, is_stop ? "stopped by SIG" : "", is_stop ? signal_name(number) : "", is_stop ? "; " : "", sentence);
    exit(code);
}

/* A JVM that stands still obeys nobody: it is woken, and given up when that does not help. */
static void wake_jvm(int64_t at) {
    struct process jvm;
    bool is_stopped = process_read(run->jvm, &jvm) && (jvm.state == 'T' || jvm.state == 't');
    if (!is_stopped || !stopped_since) stopped_since = at;
    if (is_stopped) kill(run->jvm, at - stopped_since > TO_GO_ON ? SIGKILL : SIGCONT);
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
    if (run->stop_signal) wake_jvm(at);
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

static void hear(const struct epoll_event *event, int signals, int door, bool *may_reap) {
    int place = (int)(event->data.u64 & 0xffffffff);
    switch ((enum watched)(event->data.u64 >> 32)) {
    case JVM: hear_jvm(); break;
    case OUTER: hear_outer(); break;
    case SIGNALS: hear_signals(signals, may_reap); break;
    case REPORT: hear_report(place); break;
    case DRAIN: hear_drain(&files[place].drain); break;
    case DOOR: control_accept(door); break;
    case CONNECTION: control_hear(place); break;
    case END: break;
    }
}

static _Noreturn void loop(int signals, int door) {
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
        for (int i = 0; i < count; i++) hear(&events[i], signals, door, &may_reap);
        if (has_jvm_ended && is_jvm_there) hear_jvm(); /* its last words; whoever else has its socket is not heard */
        if (has_jvm_ended && is_jvm_there) end_conversation();
        next = go_on(ends > 0);
        if (has_jvm_ended && !is_jvm_there && !begin_again() && is_done()) finish();
        if (next == NEVER && stop_is_on()) next = 0;
        flush();
    }
}

int inner_main(int outer, const char *attached, char **arguments) {
    sigset_t heard;
    struct rlimit most = {caller.files.rlim_max, caller.files.rlim_max};
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    run->inner = getpid();
    run->is_attached = attached != NULL;
    launcher_arguments = attached ? arguments + 2 : arguments;
    from_outer = outer;
    sigprocmask(SIG_SETMASK, NULL, &heard);
    sigdelset(&heard, SIGTSTP);
    setrlimit(RLIMIT_NOFILE, &most);
    int signals = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK), door;
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (signals < 0 || poller < 0) leave(75, NO_FILES);
    for (int i = 0; i < MOST_STARTS; i++) files[i].drain = -1;
    processes_open();
    watch(signals, SIGNALS, 0, EPOLLIN);
    watch(from_outer, OUTER, 0, EPOLLIN);
    if ((door = control_open()) >= 0) watch(door, DOOR, 0, EPOLLIN);
    if (attached) attach(attached);
    else begin_jvm(true);
    loop(signals, door);
}
