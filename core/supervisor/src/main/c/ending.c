/* The end of the launcher: its code, last words where the JVM has said none, and what it has to remove then. */
#include "supervisor.h"

const char *signal_name(int number) {
    static const char *const FIRST[] = {"0", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM"};
    return number < 16 ? FIRST[number] : strsignal(number);
}

static void describe_end(void) {
    const char *when = ending.has_begun ? "before it could tell how the job ended" : "before the launcher had begun";
    int status = WIFEXITED(ending.jvm_status) ? WEXITSTATUS(ending.jvm_status) : 0, used;
    if (WIFSIGNALED(ending.jvm_status)) used = snprintf(ending.sentence, sizeof ending.sentence, "the launcher's JVM was killed by SIG%s %s", signal_name(WTERMSIG(ending.jvm_status)), when);
    else used = snprintf(ending.sentence, sizeof ending.sentence, "the launcher's JVM %s %d %s", status == 3 ? "ran out of memory: exit status" : "ended with exit status", status, when);
    if (WIFSIGNALED(ending.jvm_status) && WTERMSIG(ending.jvm_status) == SIGKILL) used += snprintf(ending.sentence + used, sizeof ending.sentence - (size_t)used, ", perhaps by the kernel for want of memory");
    if (*ending.plugin) used += snprintf(ending.sentence + used, sizeof ending.sentence - (size_t)used, ": code of %s ran in it, and may have ended it. Report that to its author", ending.plugin);
    if (ending.lost_bytes) snprintf(ending.sentence + used, sizeof ending.sentence - (size_t)used, "; %lld bytes that were printed after that are lost", (long long)ending.lost_bytes);
}

/* What kubectl shows of a container that has ended. */
static void write_termination_log(int code) {
    FILE *log = *ending.termination_log ? fopen(ending.termination_log, "ae") : NULL;
    if (!log) return;
    fprintf(log, "%sexit %d: %s\n", ftell(log) ? "\n" : "", code, ending.sentence);
    fclose(log);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

static void remove_tree(const char *path) {
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* The run's directory, and what ranks have listed there: files that MPI has in other places. Behind a "/": a directory, when it is empty. */
static void remove_files(void) {
    char path[4200];
    snprintf(path, sizeof path, "%s/elsewhere", ending.directory);
    FILE *list = fopen(path, "re");
    while (list && fgets(path, sizeof path, list)) {
        char *end = strchr(path, '\n');
        const char *second = *path == '/' ? strchr(path + 1, '/') : NULL;
        if (!end || strstr(path, "/../")) continue;
        *end = 0;
        if (second && end[-1] == '/') rmdir(path);
        else if (second) remove_tree(path);
    }
    if (list) fclose(list);
    if (*ending.directory) remove_tree(ending.directory);
}

/* Nothing runs any more. */
void end_launcher(void) {
    int number = run->stop_signal, code = ending.code;
    bool is_refused = !ending.has_verdict && !number && !*ending.plugin && WIFEXITED(ending.jvm_status) && WEXITSTATUS(ending.jvm_status) == 75;
    if (is_refused && !ending.is_outer_gone) exit(75); /* it had no thread to speak with us, and has said so */
    if (!ending.has_verdict) {
        code = ending.is_outer_gone ? 75 : number == SIGTERM ? run->code_after_term : number ? 128 + number : 70;
        describe_end();
        write_termination_log(code);
        remove_files();
    }
    control_end(code);
    if (!ending.is_outer_gone) kill(run->outer, SIGCONT);
    if (*ending.sentence && !run->is_attached)
        say("exit %d: %s%s%s%s", code, number ? "stopped by SIG" : "", number ? signal_name(number) : "", number ? "; " : "", ending.sentence);
    exit(code);
}
