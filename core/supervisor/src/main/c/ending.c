/* The end of the launcher: its exit code, a last message if the JVM has printed none, and the files that it removes. */
#include "supervisor.h"

static char sentence[2000];

const char *signal_name(int number) {
    static const char *const FIRST[] = {"0", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM",
        "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS"};
    return number < 32 ? FIRST[number] : strsignal(number);
}

static void describe_end(void) {
    int status = run->jvm_status, code = WIFEXITED(status) ? WEXITSTATUS(status) : 0, number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    char how[100], lost[100] = "";
    if (number) snprintf(how, sizeof how, "was killed by SIG%s%s", signal_name(number), number == SIGKILL ? " (perhaps for want of memory)" : "");
    else snprintf(how, sizeof how, "%s %d", code == 3 ? "ran out of memory: exit status" : "ended with exit status", code);
    if (run->lost_bytes) snprintf(lost, sizeof lost, "; %lld bytes that were printed after that are lost", (long long)run->lost_bytes);
    snprintf(sentence, sizeof sentence, "the launcher's JVM %s before %s%s%s%s", how, run->has_begun ? "it could tell how the job ended" : "the launcher had begun",
        *run->plugin ? ", perhaps by code that ran in it, which its author should know: code of " : "", run->plugin, lost);
}

/* Writes the message that kubectl shows for a container that has ended. */
static void write_termination_log(int code) {
    FILE *log = *run->termination_log ? fopen(run->termination_log, "ae") : NULL;
    if (!log) return;
    fprintf(log, "%sexit %d: %s\n", ftell(log) ? "\n" : "", code, sentence);
    fclose(log);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

/* Removes the run's directory, and the directory of MPI's shared memory, which has the same name. */
static void remove_directory(void) {
    char shared[300];
    if (!*run->directory) return;
    snprintf(shared, sizeof shared, "/dev/shm/%s", basename(run->directory));
    nftw(shared, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    nftw(run->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* Removes the lock, the socket, and their directory if it is empty. */
static void remove_socket(void) {
    unlink(run->lock_path);
    unlink(run->socket_path);
    rmdir(dirname(run->socket_path));
}

/* Ends the launcher when no process of it runs any more. */
void end_launcher(void) {
    int number = run->stop_signal, code = run->code, status = WIFEXITED(run->jvm_status) ? WEXITSTATUS(run->jvm_status) : -1;
    bool is_one_gone = run->is_outer_gone || run->is_inner_gone;
    remove_socket();
    if (!run->has_begun && !number && !is_one_gone) jvm_explain(status);
    bool is_refused = !run->has_verdict && !number && !*run->plugin && (status == 75 || status == 78);
    if (is_refused && !is_one_gone) exit(status); /* it could not connect to inner, and has printed why */
    if (!run->has_verdict) {
        code = is_one_gone ? run->code_when_lost : number == SIGTERM ? run->code_after_term : number ? 128 + number : 70;
        if (run->is_inner_gone) snprintf(sentence, sizeof sentence, "the supervisor process was killed; what it had started was stopped");
        else describe_end();
        write_termination_log(code);
        remove_directory();
    }
    if (!run->is_outer_gone) kill(run->outer, SIGCONT);
    if (*sentence && !run->is_attached)
        say(code, "%s%s%s%s", number ? "stopped by SIG" : "", number ? signal_name(number) : "", number ? "; " : "", sentence);
    exit(code);
}
