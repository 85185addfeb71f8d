/* The wrapper of a rank under a host (mpirun or torchrun). When a rank ends in a stop, the host would end the other ranks before their grace
 * is over. So the wrapper does not end before it gets SIGTERM itself. It passes signals on, since the rank has its own process group. */
#include "supervisor.h"

/* The number of the rank, from the variable that its host has set. */
static const char *number_of_rank(void) {
    static const char *const NAMES[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "RANK"};
    const char *number = NULL;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !number; i++) number = getenv(NAMES[i]);
    return number ? number : "?";
}

static _Noreturn void end_as(int status) {
    static sigset_t none;
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    prctl(PR_SET_DUMPABLE, 0); /* no second core */
    signal(WTERMSIG(status), SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    raise(WTERMSIG(status));
    _exit(128 + WTERMSIG(status));
}

/* The rank ended by a SIGTERM that Muster did not send: a request to stop the job. The launcher must stop it, since the host would not give the
 * others their grace. The first such rank writes a note. Waits for the stop while host and note exist. Whether the wrapper got SIGTERM. */
static bool await_stop(const char *note, pid_t rank, pid_t host) {
    char wanted[4200];
    const struct timespec pause = {.tv_nsec = 100 * MILLISECOND};
    static sigset_t term;
    sigaddset(&term, SIGTERM);
    if (sigtimedwait(&term, NULL, &pause) == SIGTERM) return true; /* the host signalled both, before the rank had its own group */
    snprintf(wanted, sizeof wanted, "%s.wanted", note);
    int file = open(wanted, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 && dprintf(file, "%.20s %d\n", number_of_rank(), rank) < 0) unlink(wanted);
    if (file >= 0) close(file);
    while (access(note, F_OK) && !access(wanted, F_OK) && getppid() == host)
        if (sigtimedwait(&term, NULL, &pause) == SIGTERM) return true;
    return false;
}

/* mpirun does not always tell which rank failed. The wrapper adds the rank to a list on mpirun's host; on other hosts it prints the failure. */
static void tell_failure(const char *note, int status) {
    char words[100], path[4200];
    if (!status || !*note || getenv("TORCHELASTIC_RUN_ID")) return; /* torchrun tells it */
    if (WIFSIGNALED(status)) snprintf(words, sizeof words, "rank %.20s was killed by SIG%s", number_of_rank(), signal_name(WTERMSIG(status)));
    else snprintf(words, sizeof words, "rank %.20s ended with exit code %d", number_of_rank(), WEXITSTATUS(status));
    snprintf(path, sizeof path, "%s.failed", note);
    int list = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (list < 0 || dprintf(list, "%s\n", words) < 0) say(-1, "%s", words);
    if (list >= 0) close(list);
}

/* mpirun waits until nothing holds the rank's output. So processes that the rank left get SIGTERM, and SIGKILL 10 s later; in a stop, by inner. */
static void end_left(const char *note) {
    int64_t kill_at = now() + 10 * SECOND;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    for (int number = SIGTERM; waitpid(-1, NULL, WNOHANG) >= 0 && access(note, F_OK); number = now() < kill_at ? 0 : SIGKILL) {
        FILE *children = fopen(path, "re");
        int pid;
        if (!children) return;
        while (fscanf(children, "%d", &pid) == 1) kill(pid, number);
        fclose(children);
        poll(NULL, 0, 20);
    }
}

/* Restores variables that shells around a rank change: the launcher keeps them as MUSTER_OWN_NAME=VALUE, or MUSTER_OWN_NUMBER=NAME=VALUE. */
static void restore_environment(void) {
    size_t length = strlen("MUSTER_OWN_"), kept = 0;
    unsetenv("MUSTER_STOP_NOTE");
    for (size_t i = 0; environ[i]; i++)
        if (!strncmp(environ[i], "MUSTER_OWN_", length)) {
            char *own = environ[i] + length;
            putenv(*own >= '0' && *own <= '9' ? strchr(own, '=') + 1 : own);
        }
    for (size_t i = 0; environ[i]; i++)
        if (strncmp(environ[i], "MUSTER_OWN_", length)) environ[kept++] = environ[i];
    environ[kept] = NULL;
}

/* A rank of torchrun prints to its own pipe, if the launcher has made one. The rank opens it for both ways, so it works without a launcher. */
static void print_apart(const char *note) {
    char path[4200];
    const char *rank = getenv("RANK");
    snprintf(path, sizeof path, "%s.output.%.20s", note, rank ? rank : "");
    int pipe = open(path, O_RDWR | O_CLOEXEC);
    for (int file = 1; pipe >= 0 && file < 3; file++) dup2(pipe, file);
}

int rank_of_host(char **command) {
    const char *variable = getenv("MUSTER_STOP_NOTE"), *note = variable ? variable : "";
    sigset_t caught, before;
    int status, number = 0;
    bool is_told = false;
    if (!access(note, F_OK)) return 128 + SIGTERM; /* the stop has begun: no signal would reach this rank */
    signal(SIGCHLD, SIG_DFL); /* an ignored SIGCHLD would never come */
    sigfillset(&caught);
    sigprocmask(SIG_BLOCK, &caught, &before);
    prctl(PR_SET_NAME, WRAPPER);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t host = getppid(), parent = getpid(), child = fork();
    if (child < 0) leave(75, NO_PROCESSES);
    if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        sigprocmask(SIG_SETMASK, &before, NULL);
        restore_environment();
        print_apart(note);
        execvp(command[0], command);
        leave(errno == ENOENT ? 127 : 126, "%s: %s", command[0], strerror(errno));
    }
    setpgid(child, child); /* here and in the child: either may be first */
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) != child;) {
        if (ended > 0) continue;
        number = sigwaitinfo(&caught, NULL);
        is_told |= number == SIGTERM;
        if (number > 0 && number != SIGCHLD) kill(-child, number);
    }
    bool is_by_term = WIFEXITED(status) ? WEXITSTATUS(status) == 128 + SIGTERM : WTERMSIG(status) == SIGTERM;
    if (is_by_term && !is_told && *note) is_told = await_stop(note, child, host);
    prctl(PR_SET_NAME, LEFT_WRAPPER);
    if (access(note, F_OK) && !is_told) tell_failure(note, status);
    end_left(note);
    if (access(note, F_OK)) end_as(status);
    while (!is_told) is_told = sigwaitinfo(&caught, NULL) == SIGTERM;
    return 0;
}
