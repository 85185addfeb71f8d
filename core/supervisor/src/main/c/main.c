/* The program: outer, which passes signals on to inner. If inner is killed, outer completes the stop of the run. */
#include "supervisor.h"

struct run *run;

#define FEWEST_FILES 24

int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

/* Prints a message; if code is not negative, why the launcher ends. Replaces characters other than printable ASCII by "?". Waits 1 s for a reader. */
void say(int code, const char *format, ...) {
    char line[3000] = "muster: ";
    va_list values;
    if (code >= 0) snprintf(line, sizeof line, "muster: exit %d: ", code);
    size_t length = strlen(line);
    va_start(values, format);
    vsnprintf(line + length, sizeof line - 1 - length, format, values);
    va_end(values);
    for (length = 0; line[length]; length++)
        if (line[length] < ' ' || line[length] > '~') line[length] = '?';
    line[length++] = '\n';
    struct pollfd errors = {.fd = 2, .events = POLLOUT};
    if (poll(&errors, 1, 1000) > 0 && write(2, line, length) < 0) return;
}

/* Finds the package of PACKAGE/bin/muster, or of bin/muster beside PACKAGE, as pip installs it. Without /proc it uses the program's name. */
static void find_package(const char *called) {
    if (readlink("/proc/self/exe", run->package, sizeof run->package - 1) <= 0 && !realpath(called, run->package)) *run->package = 0;
    for (int levels = 2; levels > 0 && strrchr(run->package, '/'); levels--) *strrchr(run->package, '/') = 0;
    char *end = strchr(run->package, 0);
    snprintf(end, (size_t)(run->package + sizeof run->package - end), "/muster/lib/jvm.options");
    end[access(run->package, R_OK) ? 0 : strlen("/muster")] = 0;
}

static const int CAUGHT[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, 0};

/* Stores the caller's signals. Signals that nohup ignores stay ignored. Signals that "&" of a script ignores are caught all the same. */
static int take_signals(void) {
    static sigset_t caught;
    struct sigaction action;
    for (int number = 1; number < NSIG; number++)
        if (!sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN) sigaddset(&run->ignored, number);
    for (const int *number = CAUGHT; *number; number++) {
        if ((*number == SIGHUP || *number == SIGTERM) && sigismember(&run->ignored, *number)) continue;
        sigaddset(&caught, *number);
        signal(*number, SIG_DFL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_SETMASK, &caught, &run->mask);
    return signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
}

static _Noreturn void outer(int signals) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    processes_open();
    for (;;) {
        struct pollfd caught = {.fd = signals, .events = POLLIN};
        struct signalfd_siginfo news;
        siginfo_t child = {0};
        poll(&caught, 1, -1);
        while (read(signals, &news, sizeof news) > 0)
            if (news.ssi_signo != SIGCHLD) process_signal(run->inner, (int)news.ssi_signo);
        for (; !waitid(P_ALL, 0, &child, WEXITED | WSTOPPED | WNOHANG) && child.si_pid; child.si_pid = 0) {
            if (child.si_pid != run->inner) continue;
            if (child.si_code == CLD_EXITED) exit(child.si_status);
            if (child.si_code == CLD_STOPPED) kill(run->inner, SIGCONT);
            else take_over(signals);
        }
    }
}

int main(int count, char **arguments) {
    const char *attached = count > 2 && !strcmp(arguments[1], "--attached") ? arguments[2] : NULL;
    /* A closed standard stream would become the first file that is opened. */
    for (int file = 0; file < 3; file++)
        if (fcntl(file, F_GETFD) < 0) open("/dev/null", file ? O_WRONLY : O_RDONLY);
    if (count > 3 && !strcmp(arguments[1], "--rank-of-host")) return rank_of_host(arguments + 3);
    prctl(PR_SET_NAME, LAUNCHER); /* nested launchers find each other by it, under any file name */
    /* No started process inherits other files of the caller. */
    if (syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */))
        for (int file = 3; file < 4096; file++) fcntl(file, F_SETFD, FD_CLOEXEC);
    run = mmap(NULL, sizeof *run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (run == MAP_FAILED) leave(75, "no memory can be had here: %s", strerror(errno));
    find_package(arguments[0] ? arguments[0] : "muster");
    run->most = 1;
    run->code_after_term = 128 + SIGTERM;
    run->code_when_lost = 75;
    run->grace = 15 * SECOND;
    run->outer = getpid();
    run->is_attached = attached != NULL;
    run->has_strangers = run->outer == 1 || !waitid(P_ALL, 0, NULL, WEXITED | WNOHANG | WNOWAIT);
    if (!getcwd(run->callers_directory, sizeof run->callers_directory)) *run->callers_directory = 0;
    getrlimit(RLIMIT_NOFILE, &run->files);
    if (run->files.rlim_max < FEWEST_FILES)
        leave(78, "RLIMIT_NOFILE (ulimit -n) is %llu, and a launcher needs %d. Raise it", (unsigned long long)run->files.rlim_max, FEWEST_FILES);
    for (char **word = (char *[]){"stop", "ps", "top", "stacks", "logs", NULL}; count > 1 && *word; word++)
        if (!strcmp(arguments[1], *word)) become_jvm(arguments + 1);
    int signals = take_signals();
    if (attached) run->jvm = getppid(), sigemptyset(&run->mask); /* the JVM's threads block SIGQUIT */
    if (signals < 0) leave(75, NO_FILES);
    run->inner = fork();
    if (run->inner < 0) jvm_explain(0), leave(75, NO_PROCESSES);
    if (run->inner > 0) outer(signals);
    inner_main(signals, attached, arguments + 1);
}
