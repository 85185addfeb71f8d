/* The end of the launcher: its code, last words where the JVM has said none, and what it has to remove then. */
#include "supervisor.h"

const char *signal_name(int number) {
    static const char *const FIRST[] = {"0", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM"};
    return number < 16 ? FIRST[number] : strsignal(number);
}

/* Adds what the kernel's memory killer did in this container (control groups of version 2), and returns the new length. */
static int describe_memory_kills(char *text, int used, size_t room) {
    char line[64], limit[32] = "";
    long long kills = 0;
    FILE *file = fopen("/sys/fs/cgroup/memory.events", "re");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "oom_kill ", 9)) kills = strtoll(line + 9, NULL, 10);
    if (file) fclose(file);
    if (kills <= 0) return used;
    used += snprintf(text + used, room - (size_t)used, "; that may have been the kernel, which has killed %lld in this container for memory", kills);
    file = fopen("/sys/fs/cgroup/memory.max", "re");
    long long bytes = file && fgets(limit, sizeof limit, file) ? strtoll(limit, NULL, 10) : 0;
    if (file) fclose(file);
    if (bytes > 0) used += snprintf(text + used, room - (size_t)used, " (memory limit %lld KiB, /sys/fs/cgroup/memory.max)", bytes / 1024);
    return used;
}

static void describe_end(void) {
    const char *when = ending.has_begun ? "before it could tell how the job ended" : "before the launcher had begun";
    int status = WIFEXITED(ending.jvm_status) ? WEXITSTATUS(ending.jvm_status) : 0, used;
    if (WIFSIGNALED(ending.jvm_status)) used = snprintf(ending.sentence, sizeof ending.sentence, "the launcher's JVM was killed by SIG%s %s", signal_name(WTERMSIG(ending.jvm_status)), when);
    else used = snprintf(ending.sentence, sizeof ending.sentence, "the launcher's JVM %s %d %s", status == 3 ? "ran out of memory: exit status" : "ended with exit status", status, when);
    if (WIFSIGNALED(ending.jvm_status) && WTERMSIG(ending.jvm_status) == SIGKILL) used = describe_memory_kills(ending.sentence, used, sizeof ending.sentence);
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
    snprintf(key, sizeof key, "%s/key", ending.directory);
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
    snprintf(path, sizeof path, "%s/elsewhere", ending.directory);
    FILE *list = *ending.directory ? fopen(path, "re") : NULL;
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
    if (*ending.directory) remove_tree(AT_FDCWD, ending.directory);
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
    bool is_stop = number && !ending.has_verdict;
    if (!ending.is_outer_gone) kill(run->outer, SIGCONT);
    if (*ending.sentence && !run->is_attached) say("exit %d: %s%s%s%s", code, is_stop ? "stopped by SIG" : "", is_stop ? signal_name(number) : "", is_stop ? "; " : "", ending.sentence);
    exit(code);
}
