/* The JVM of the launcher: is found, begins, and what kept it from beginning. */
#include "supervisor.h"

#define OLDEST 17
#define LONG (sizeof run->package + 250)
#define TASKS_OF_JVM 24
#define MEBIBYTE INT64_C(1048576)
#define MOST_WORDS 100

static const char *of_caller(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

/* What the release file beside a java says of it, without quotes; nothing where there is none. */
static void read_release(const char *java, char version[64], char build[200]) {
    char path[4200], line[512];
    *version = *build = 0;
    snprintf(path, sizeof path, "%s", java);
    for (int levels = 2; levels > 0 && strrchr(path, '/'); levels--) *strrchr(path, '/') = 0;
    FILE *file = fopen(strcat(path, "/release"), "re");
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "JAVA_VERSION=\"%63[^\"]", version);
        sscanf(line, "JAVA_RUNTIME_VERSION=\"%199[^\"]", build);
    }
    if (file) fclose(file);
}

/* The package's own, JAVA_HOME, then PATH. One without a release file is taken: the launcher's first class looks at its version. */
static char *find_java(char build[200]) {
    char places[16384], version[64], old[400] = "", *rest = NULL;
    const char *home = of_caller("JAVA_HOME"), *path = of_caller("PATH");
    snprintf(places, sizeof places, "%s/jre/bin:%s%s%s", run->package, home, *home ? "/bin:" : "", *path ? path : "/bin:/usr/bin");
    for (char *at = strtok_r(places, ":", &rest); at; at = strtok_r(NULL, ":", &rest)) {
        char name[8400], *java;
        snprintf(name, sizeof name, "%s%s%s/java", *at == '/' ? "" : run->callers_directory, *at == '/' ? "" : "/", at);
        if (access(name, X_OK) || !(java = realpath(name, NULL))) continue;
        read_release(java, version, build);
        if (!*version || atoi(strncmp(version, "1.", 2) ? version : version + 2) >= OLDEST) return java;
        if (!*old) snprintf(old, sizeof old, "%.300s is Java %s", name, version);
    }
    leave(69, "needs Java 17 or newer; %s. Install openjdk-17-jre-headless or set JAVA_HOME. Looked in %s/jre, JAVA_HOME=%.500s, PATH=%.1000s",
        *old ? old : "found none", run->package, home, path);
}

/* lib/cds/MAKER-BUILD-ARCHITECTURE-DIGEST.aot or .jsa, by the build of the Java. */
static bool find_class_data(const char *build, char option[LONG], char property[LONG]) {
    char pattern[LONG];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/lib/cds/*-%s-*.[aj]*", run->package, build);
    if (!*build || glob(pattern, 0, NULL, &found)) return false;
    const char *file = found.gl_pathv[0] + strlen(run->package) + strlen("/lib/");
    snprintf(option, LONG, "-XX:%s=%s", strstr(file, ".aot") ? "AOTCache" : "SharedArchiveFile", file);
    snprintf(property, LONG, "-Dmuster.classdata=%s", file);
    globfree(&found);
    return true;
}

/* Becomes the JVM, in the lib directory, where the jar is, and jvm.options: java reads the words in that file. */
void become_jvm(char **arguments) {
    char build[200], option[LONG], property[LONG], home[LONG], zone[300], libraries[LONG];
    char *last[] = {"-cp", "muster.jar:start.jar", "dev.muster.Start"}, *variables[5] = {"LC_ALL=C.UTF-8", home};
    char *words[MOST_WORDS + 1] = {find_java(build), "@jvm.options"};
    int used = 2, set = 2;
    sigset_t none;
    if (find_class_data(build, option, property)) words[used++] = option, words[used++] = property;
    for (int i = 0; i < 3; i++) words[used++] = last[i];
    while (*arguments && used < MOST_WORDS) words[used++] = *arguments++;
    snprintf(home, sizeof home, "MUSTER_HOME=%s", run->package);
    snprintf(zone, sizeof zone, "TZ=%.290s", of_caller("TZ"));
    if (zone[3]) variables[set++] = zone;
    /* Without /proc a java does not find its own libraries. */
    snprintf(libraries, sizeof libraries, "LD_LIBRARY_PATH=%.*s/../lib", (int)(strrchr(words[0], '/') - words[0]), words[0]);
    if (!can_see) variables[set] = libraries;
    sigemptyset(&none);
    if (!chdir(run->package) && !chdir("lib")) become(words, variables, &none, &none);
    _exit(126);
}

/* Returns the descriptor of the conversation. */
int jvm_start(void) {
    int ends[2];
    char *nothing[] = {NULL};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) leave(75, NO_FILES);
    pid_t child = fork_leader(SIGCONT); /* one that stands still would outlive us */
    if (child < 0) leave(75, NO_PROCESSES);
    if (child == 0) {
        dup2(ends[1], 0);
        close_others();
        become_jvm(nothing);
    }
    run->jvm = child;
    close(ends[1]);
    return ends[0];
}

static void require_memory(int limit, const char *name, int64_t mebibytes) {
    struct rlimit memory;
    if (!getrlimit(limit, &memory) && memory.rlim_cur < (rlim_t)(mebibytes * MEBIBYTE))
        leave(78, "%s is %llu KiB, too little for a JVM. Raise it", name, (unsigned long long)memory.rlim_cur / 1024);
}

/* Counts by trying. What is made ends with this process. */
static void require_tasks(void) {
    int count = 0;
    for (pid_t child; count < TASKS_OF_JVM && (child = fork_leader(SIGKILL)) >= 0; count++)
        if (child == 0) pause(), _exit(0);
    if (count < TASKS_OF_JVM)
        leave(78, "the launcher needs %d processes and threads, and %d can be made here: pids.max of the container, or ulimit -u. Raise it",
            TASKS_OF_JVM, count);
}

/* A JVM has ended before the launcher had begun: ends with the reason where there is one. */
void jvm_explain(void) {
    int status = WIFEXITED(run->jvm_status) ? WEXITSTATUS(run->jvm_status) : -1;
    if (status == 69) exit(69); /* there is no Java of 17 or newer, and that was said */
    if (status == 126 || status == 127) leave(69, "the Java that was found cannot be run. Set JAVA_HOME to another one");
    require_memory(RLIMIT_AS, "RLIMIT_AS (ulimit -v)", 4096);
    require_memory(RLIMIT_DATA, "RLIMIT_DATA (ulimit -d)", 1024);
    require_tasks();
}
