/* Starts processes: each in a session of its own, with the signals, limits and environment that the caller has given. */
#include "supervisor.h"

/* Whether a variable has the name of a change, which may have a value. */
static bool is_among(const char *variable, const struct list *changes) {
    size_t length = 1 + strcspn(*variable ? variable + 1 : variable, "=");
    for (int i = 0; i < changes->count; i++)
        if (!strncmp(variable, changes->all[i], length) && (changes->all[i][length] == '=' || !changes->all[i][length])) return true;
    return false;
}

/* The caller's environment with the changes of an order. */
char **make_environment(const struct order *order) {
    size_t count = (size_t)order->set.count + 1, used = 0;
    for (char **variable = caller.environment; *variable; variable++) count++;
    char **environment = calloc(count, sizeof(char *));
    if (!environment) return NULL;
    for (char **variable = caller.environment; *variable; variable++)
        if (!is_among(*variable, &order->set) && !is_among(*variable, &order->unset)) environment[used++] = *variable;
    memcpy(environment + used, order->set.all, (size_t)order->set.count * sizeof(char *));
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

/* In the new process; comes back when the program cannot begin. A file without "#!" is a script of the shell's. */
static void become(char **arguments, char **environment) {
    execve(arguments[0], arguments, environment);
    if (errno != ENOEXEC) return;
    char *words[4096] = {"sh"};
    for (int i = 0; i < 4094 && arguments[i]; i++) words[i + 1] = arguments[i];
    execve("/bin/sh", words, environment);
}

static pid_t fork_leader(int death_signal) {
    pid_t parent = getpid(), child = fork();
    if (child) return child;
    setsid();
    prctl(PR_SET_PDEATHSIG, death_signal);
    if (getppid() != parent) _exit(127); /* it has died before */
    return 0;
}

/* Whether it runs; else errno tells why not. Its memory of run is ours, too. */
static bool spawn(struct order *order, char **environment, struct start *start, const int files[3]) {
    pid_t child = fork_leader(SIGTERM);
    if (child < 0) return false;
    if (child == 0) {
        for (int file = 0; file < 3; file++) dup2(files[file], file);
        close_others();
        setrlimit(RLIMIT_NOFILE, &caller.files);
        set_signals(&caller.ignored, &caller.mask);
        bool is_there = !chdir(order->dir);
        if (is_there) become(order->arg.all, environment);
        start->refusal = is_there ? errno : -errno;
        _exit(127);
    }
    start->pid = child;
    start->drain = order->drain ? open_target(order->drain, O_RDONLY | O_NONBLOCK) : -1; /* what it writes itself is seen here, too */
    start->end = (int)syscall(SYS_pidfd_open, child, 0);
    if (start->end >= 0) watch(start->end, END, (int)(start - run->starts), EPOLLIN);
    if (start->drain >= 0) watch(start->drain, DRAIN, (int)(start - run->starts), 0);
    return true;
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
    become(command, environment);
    _exit(126);
}
