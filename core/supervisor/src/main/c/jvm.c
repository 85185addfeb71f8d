/* The JVM of the launcher: begins, is woken, and begins again where its class data was the obstacle. */
#include "supervisor.h"

#define TO_GO_ON (5 * SECOND)
#define TASKS_OF_JVM 24
#define MEBIBYTE INT64_C(1048576)

/* Returns the descriptor of the conversation. */
int jvm_start(bool has_class_data) {
    int ends[2];
    char **environment, **command = java_command(&environment, has_class_data);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) leave(75, NO_FILES);
    run->jvm = start_jvm(command, environment, ends[1]);
    if (run->jvm < 0) leave(75, NO_PROCESSES);
    close(ends[1]);
    return ends[0];
}

/* The same with the JVM that has started us. */
int jvm_attach(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct ucred peer = {0};
    socklen_t length = sizeof peer;
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address)) leave(75, "cannot reach the launcher at %s", path);
    if (!getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &length)) run->jvm = peer.pid;
    return file;
}

static void require_memory(int limit, const char *name, int64_t mebibytes) {
    struct rlimit memory;
    if (!getrlimit(limit, &memory) && memory.rlim_cur < (rlim_t)(mebibytes * MEBIBYTE))
        leave(78, "%s is %llu KiB, too little for a JVM. Raise it", name, (unsigned long long)memory.rlim_cur / 1024);
}

/* Counts by trying. */
static void require_tasks(void) {
    pid_t children[TASKS_OF_JVM];
    int count = 0;
    while (count < TASKS_OF_JVM && (children[count] = fork()) >= 0) {
        if (children[count] == 0) pause(), _exit(0);
        count++;
    }
    for (int i = 0; i < count; i++) kill(children[i], SIGKILL), waitpid(children[i], NULL, 0);
    if (count < TASKS_OF_JVM)
        leave(78, "the launcher needs %d processes and threads, and %d can be made here: pids.max of the container, or ulimit -u. Raise it",
            TASKS_OF_JVM, count);
}

/* A JVM has ended before the launcher had begun. Class data that was cut off kills it: without it the same command works. */
bool jvm_may_begin_again(void) {
    int status = WIFEXITED(ending.jvm_status) ? WEXITSTATUS(ending.jvm_status) : -1;
    if (ending.has_begun || run->stop_signal || ending.is_outer_gone) return false;
    if (status == 69) exit(69); /* the Java is too old, and it has said so */
    if (status == 126 || status == 127) leave(69, "the Java that was found cannot be run. Set JAVA_HOME to another one");
    require_memory(RLIMIT_AS, "RLIMIT_AS (ulimit -v)", 4096);
    require_memory(RLIMIT_DATA, "RLIMIT_DATA (ulimit -d)", 1024);
    require_tasks();
    return java_has_class_data;
}

/* A JVM that stands still obeys nobody: it is woken, and given up when that does not help. */
void jvm_wake(int64_t at) {
    static int64_t stopped_since;
    struct process jvm;
    bool is_stopped = process_read(run->jvm, &jvm) && (jvm.state == 'T' || jvm.state == 't');
    if (!is_stopped || !stopped_since) stopped_since = at;
    if (is_stopped) kill(run->jvm, at - stopped_since > TO_GO_ON ? SIGKILL : SIGCONT);
}
