/* Starts processes: each in a session of its own, with the signals, limits and environment that the caller has given. */
#include "supervisor.h"

int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (file < 0 || !connect(file, (struct sockaddr *)&address, sizeof address)) return file;
    close(file);
    return -1;
}

/* An end of a pipe that the JVM has made, by the number of its descriptor; a Unix socket where these have no names. */
static int open_target(const char *target, int mode) {
    char path[64];
    if (*target == '/') return connect_to(target);
    snprintf(path, sizeof path, "/proc/%d/fd/%s", run->jvm, target);
    return open(*target == '-' ? "/dev/null" : path, mode | O_CLOEXEC);
}

void close_others(void) {
    if (!syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */)) return;
    for (int file = 3; file < 4096; file++) fcntl(file, F_SETFD, FD_CLOEXEC);
}

/* In the new process; comes back when the program cannot begin. A file without "#!" is a script of the shell's. */
void become(char **arguments, char **environment, const sigset_t *ignored, const sigset_t *mask) {
    char *words[4096] = {"sh"};
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP) signal(number, sigismember(ignored, number) == 1 ? SIG_IGN : SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execve(arguments[0], arguments, environment);
    if (errno != ENOEXEC) return;
    for (int i = 0; i < 4094 && arguments[i]; i++) words[i + 1] = arguments[i];
    execve("/bin/sh", words, environment);
}

pid_t fork_leader(int death_signal) {
    pid_t parent = getpid(), child = fork();
    if (child) return child;
    setsid();
    prctl(PR_SET_PDEATHSIG, death_signal);
    if (getppid() != parent) _exit(127); /* it has died before */
    return 0;
}

static char **arguments_of(const struct order *order) {
    size_t count = 0;
    char *word = NULL;
    while ((word = order_next(order, "arg", word))) count++;
    char **words = calloc(count + 1, sizeof *words);
    for (size_t i = 0; words && i < count; i++) words[i] = word = order_next(order, "arg", word);
    return words;
}

/* In the new process: why its program does not begin, an errno, negative for its directory. */
static int begin_program(const struct order *order, const int files[3]) {
    char **arguments = arguments_of(order), *name = NULL, *variable = NULL;
    for (int file = 0; file < 3; file++) dup2(files[file], file);
    close_others();
    setrlimit(RLIMIT_NOFILE, &run->files);
    if (chdir(order_text(order, "dir"))) return -errno;
    while ((name = order_next(order, "unset", name))) unsetenv(name);
    while ((variable = order_next(order, "set", variable))) putenv(variable);
    if (arguments) become(arguments, environ, &run->ignored, &run->mask);
    return errno;
}

/* Whether it runs; else errno tells why not. Its memory of run is ours, too. */
static bool spawn(const struct order *order, struct start *start) {
    const char *errors = order_text(order, "err"), *drain = order_text(order, "drain");
    int in = order_number(order, "input") ? 0 : open("/dev/null", O_RDONLY | O_CLOEXEC), out = open_target(order_text(order, "out"), O_WRONLY);
    int files[3] = {in, out, *errors ? open_target(errors, O_WRONLY) : out};
    pid_t child = in < 0 || out < 0 || files[2] < 0 ? -1 : fork_leader(SIGTERM);
    int refusal = errno;
    if (child == 0) {
        start->refusal = begin_program(order, files);
        _exit(127);
    }
    for (int file = 0; file < 3; file++)
        if (files[file] > 0) close(files[file]); /* perhaps twice, which harms nobody */
    errno = refusal;
    if (child < 0) return false;
    start->pid = child;
    start->drain = *drain ? open_target(drain, O_RDONLY | O_NONBLOCK) : -1; /* what it writes itself is seen here, too */
    start->end = (int)syscall(SYS_pidfd_open, child, 0);
    if (start->end >= 0) watch(start->end, start, EPOLLIN);
    return true;
}

static struct start *free_place(void) {
    for (int i = 1; i < MOST_STARTS; i++) {
        if (run->starts[i].id) continue;
        if (i >= run->most) run->most = i + 1;
        memset(&run->starts[i], 0, sizeof run->starts[i]);
        return &run->starts[i];
    }
    return NULL;
}

/* False for what is no order to start. */
bool start_process(const struct order *order) {
    int64_t id = order_number(order, "id");
    if (id <= 0 || !*order_text(order, "arg") || !*order_text(order, "dir")) return false;
    struct start *start = free_place();
    errno = EAGAIN;
    if (!start || !spawn(order, start)) {
        tell(strerror(errno), "failed id=%lld error=%d", (long long)id, errno);
        return true;
    }
    start->id = id;
    start->is_wrapper = order_number(order, "wrapper");
    start->is_host = order_number(order, "host");
    start->waits_for_others = order_number(order, "waits");
    snprintf(start->note, sizeof start->note, "%s", order_text(order, "note"));
    tell(NULL, "started id=%lld pid=%d", (long long)id, start->pid);
    return true;
}

/* Nothing is left of it, and its place is free. */
void start_forget(struct start *start) {
    if (start->drain >= 0) close(start->drain);
    start->id = 0;
}
