/* Starts processes: each in a session of its own, with the signals, limits and environment that the caller has given. */
#include "supervisor.h"

static size_t name_length(const char *variable) {
    const char *end = *variable ? strchr(variable + 1, '=') : NULL;
    return end ? (size_t)(end - variable) : strlen(variable);
}

static int by_name(const void *one, const void *other) {
    const char *a = *(char *const *)one, *b = *(char *const *)other;
    size_t length = name_length(a), of_other = name_length(b);
    int order = memcmp(a, b, length < of_other ? length : of_other);
    return order ? order : (length > of_other) - (length < of_other);
}

/* The caller's environment with the changes of an order. */
static char **make_environment(struct order *order) {
    size_t count = 0, sets = (size_t)order->set.count, changes = sets + (size_t)order->unset.count, used = 0;
    while (caller.environment[count]) count++;
    char **environment = calloc(count + 2 * changes + 1, sizeof(char *));
    if (!environment) return NULL;
    char **changed = environment + count + changes + 1;
    memcpy(changed, order->set.all, sets * sizeof(char *));
    memcpy(changed + sets, order->unset.all, (changes - sets) * sizeof(char *));
    qsort(changed, changes, sizeof(char *), by_name);
    for (char **variable = caller.environment; *variable; variable++)
        if (!changes || !bsearch(variable, changed, changes, sizeof(char *), by_name)) environment[used++] = *variable;
    memcpy(environment + used, order->set.all, sets * sizeof(char *));
    return environment;
}

/* An end of a pipe that the JVM has made, by the number of its descriptor; a Unix socket where these have no names. */
static int open_target(const char *target, int mode) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char path[64];
    if (*target != '/') {
        snprintf(path, sizeof path, "/proc/%d/fd/%s", run->jvm, target);
        return open(*target == '-' ? "/dev/null" : path, mode | O_CLOEXEC);
    }
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", target);
    if (file < 0 || !connect(file, (struct sockaddr *)&address, sizeof address)) return file;
    close(file);
    return -1;
}

static void close_others(void) {
    if (!syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */)) return;
    for (int file = 3; file < 4096; file++) fcntl(file, F_SETFD, FD_CLOEXEC);
}

static void set_signals(const sigset_t *ignored, const sigset_t *mask) {
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP) signal(number, sigismember(ignored, number) == 1 ? SIG_IGN : SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

/* In the new process. A file without "#!" is a script of the shell's. */
static _Noreturn void become(char **arguments, char **environment, int report) {
    execve(arguments[0], arguments, environment);
    if (errno == ENOEXEC) {
        char *words[4096] = {"sh"};
        for (int i = 0; i < 4094 && arguments[i]; i++) words[i + 1] = arguments[i];
        execve("/bin/sh", words, environment);
    }
    int refusal = errno;
    _exit(write(report, &refusal, sizeof refusal) > 0 ? 127 : 126);
}

static pid_t fork_leader(int death_signal) {
    pid_t parent = getpid(), child = fork();
    if (child) return child;
    setsid();
    prctl(PR_SET_PDEATHSIG, death_signal);
    if (getppid() != parent) _exit(127); /* it has died before */
    return 0;
}

/* Whether it runs; else errno tells why not. */
static bool spawn(struct order *order, char **environment, struct start *start, const int files[3]) {
    int report[2] = {-1, -1};
    if (pipe2(report, O_CLOEXEC)) return false;
    pid_t child = fork_leader(SIGTERM);
    if (child == 0) {
        for (int file = 0; file < 3; file++) dup2(files[file], file);
        close_others();
        setrlimit(RLIMIT_NOFILE, &caller.files);
        set_signals(&caller.ignored, &caller.mask);
        if (!chdir(order->dir)) become(order->arg.all, environment, report[1]);
        int refusal = -errno;
        _exit(write(report[1], &refusal, sizeof refusal) > 0 ? 127 : 126);
    }
    int refusal = errno;
    close(report[1]);
    start->pid = child; /* what it writes itself is seen here, too */
    if (child > 0) watch_start(start, report[0], order->drain ? open_target(order->drain, O_RDONLY | O_NONBLOCK) : -1);
    else close(report[0]);
    errno = refusal;
    return child > 0;
}

static bool start_with_files(struct order *order, struct start *start) {
    int out = open_target(order->out, O_WRONLY);
    int err = order->err ? open_target(order->err, O_WRONLY) : out;
    int files[3] = {order->input ? 0 : open("/dev/null", O_RDONLY | O_CLOEXEC), out, err};
    char **environment = make_environment(order);
    bool is_running = out >= 0 && err >= 0 && files[0] >= 0 && environment && spawn(order, environment, start, files);
    int refusal = errno;
    if (files[0] > 0) close(files[0]);
    if (err >= 0 && err != out) close(err);
    if (out >= 0) close(out);
    free(environment);
    errno = refusal;
    return is_running;
}

static struct start *free_place(void) {
    for (int i = 1; i < MOST_STARTS; i++) {
        if (run->starts[i].id) continue;
        if (i >= run->most) run->most = i + 1;
        memset(&run->starts[i], 0, sizeof run->starts[i]);
        run->starts[i].names[0] = '\n';
        return &run->starts[i];
    }
    return NULL;
}

static void add_names(struct start *start, const char *mark, const struct list *names) {
    for (int i = 0; i < names->count; i++) {
        size_t used = strlen(start->names);
        snprintf(start->names + used, sizeof start->names - used, "%s%.15s\n", mark, names->all[i]);
    }
}

/* False for what is no order to start. */
bool start_process(struct order *order) {
    struct process child;
    if (order->id <= 0 || !order->arg.count || !*order->dir) return false;
    struct start *start = free_place();
    errno = EAGAIN;
    if (!start || !start_with_files(order, start)) {
        tell(strerror(errno), "failed id=%lld error=%d", (long long)order->id, errno);
        return true;
    }
    start->id = order->id;
    start->is_wrapper = order->wrapper;
    start->is_host = order->host;
    start->waits_for_others = order->waits;
    snprintf(start->note, sizeof start->note, "%s", order->note);
    add_names(start, "", &order->pass);
    add_names(start, "-", &order->leave);
    start->born = process_read(start->pid, &child) ? child.born : 0;
    tell(NULL, "started id=%lld pid=%d born=%ju", (long long)start->id, start->pid, (uintmax_t)start->born);
    return true;
}

pid_t start_jvm(char **command, char **environment, int conversation) {
    sigset_t none;
    pid_t child = fork_leader(SIGCONT); /* one that stands still would outlive us */
    if (child) return child;
    dup2(conversation, 0);
    close_others();
    char lib[sizeof package + 8];
    snprintf(lib, sizeof lib, "%s/lib", package);
    sigemptyset(&none);
    set_signals(&none, &none);
    if (chdir(lib)) _exit(126);
    become(command, environment, -1);
}
