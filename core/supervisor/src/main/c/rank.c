/* The wrapper of a rank under mpirun or torchrun. When a rank ends because its job is being stopped, they would end the others in a time of
 * their own: so the wrapper does not end before it is told to. It hands on signals, since its child has a group of its own. */
#include "supervisor.h"

static const int HANDED_ON[] = {SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGALRM, SIGCONT, SIGTSTP, SIGXCPU};

static _Noreturn void end_as(int status) {
    struct rlimit no_core = {0};
    sigset_t none;
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(status), SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    raise(WTERMSIG(status));
    _exit(128 + WTERMSIG(status));
}

int rank_of_host(char **command) {
    char note[4096] = "";
    const char *variable = getenv("MUSTER_STOP_NOTE");
    sigset_t heard, before;
    int status, number = 0;
    bool is_told = false;
    if (variable) snprintf(note, sizeof note, "%s", variable);
    if (!access(note, F_OK)) return 128 + SIGTERM; /* nobody would tell this rank again */
    unsetenv("MUSTER_STOP_NOTE");
    sigemptyset(&heard);
    for (size_t i = 0; i < sizeof HANDED_ON / sizeof *HANDED_ON; i++) sigaddset(&heard, HANDED_ON[i]);
    sigaddset(&heard, SIGCHLD);
    sigprocmask(SIG_BLOCK, &heard, &before);
    prctl(PR_SET_NAME, "muster-rank");
    pid_t parent = getpid(), child = fork();
    if (child < 0) leave(75, "no process can be made here: a limit is reached (ulimit -u, or pids.max of the container)");
    if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(command[0], command);
        leave(errno == ENOENT ? 127 : 126, "%s: %s", command[0], strerror(errno));
    }
    setpgid(child, child); /* whoever is first */
    while (waitpid(child, &status, WNOHANG) != child) {
        number = sigwaitinfo(&heard, NULL);
        is_told |= number == SIGTERM;
        if (number > 0 && number != SIGCHLD) kill(-child, number);
    }
    if (access(note, F_OK)) end_as(status);
    while (!is_told) is_told = sigwaitinfo(&heard, NULL) == SIGTERM;
    return 0;
}
