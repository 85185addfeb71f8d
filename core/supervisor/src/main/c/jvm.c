/* The JVM of the launcher: is found, begins, is woken, and begins again where its class data was the obstacle. */
#include "supervisor.h"

#define OLDEST 17
#define LONG (sizeof package + 250)
#define USUAL "-Xshare:auto" /* of each Java */
#define TO_GO_ON (5 * SECOND)
#define TASKS_OF_JVM 24
#define MEBIBYTE INT64_C(1048576)
#define MOST_WORDS 100

static bool has_data;

static const char *of_caller(const char *name) {
    for (char **variable = caller.environment; *variable; variable++)
        if (!strncmp(*variable, name, strlen(name)) && (*variable)[strlen(name)] == '=') return *variable + strlen(name) + 1;
    return "";
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
    snprintf(places, sizeof places, "%s/jre/bin:%s%s%s", package, home, *home ? "/bin:" : "", *path ? path : "/bin:/usr/bin");
    for (char *at = strtok_r(places, ":", &rest); at; at = strtok_r(NULL, ":", &rest)) {
        char name[8400], *java;
        snprintf(name, sizeof name, "%s%s%s/java", *at == '/' ? "" : caller.directory, *at == '/' ? "" : "/", at);
        if (access(name, X_OK) || !(java = realpath(name, NULL))) continue;
        read_release(java, version, build);
        if (!*version || atoi(strncmp(version, "1.", 2) ? version : version + 2) >= OLDEST) return java;
        if (!*old) snprintf(old, sizeof old, "%.300s is Java %s", name, version);
    }
    leave(69, "needs Java 17 or newer; %s. Install openjdk-17-jre-headless or set JAVA_HOME. Looked in %s/jre, JAVA_HOME=%.500s, PATH=%.1000s",
        *old ? old : "found none", package, home, path);
}

/* lib/cds/MAKER-BUILD-ARCHITECTURE-DIGEST.aot or .jsa, by the build of the Java. */
static void find_class_data(const char *build, char option[LONG], char property[LONG]) {
    char pattern[LONG];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/lib/cds/*-%s-*.[aj]*", package, build);
    if (!*build || glob(pattern, 0, NULL, &found)) return;
    const char *file = found.gl_pathv[0] + strlen(package) + strlen("/lib/");
    snprintf(option, LONG, "-XX:%s=%s", strstr(file, ".aot") ? "AOTCache" : "SharedArchiveFile", file);
    snprintf(property, LONG, "-Dmuster.classdata=%s", file);
    globfree(&found);
    has_data = true;
}

static char **java_command(char ***environment, bool has_class_data) {
    static char build[200], option[LONG], property[LONG], home[LONG], zone[300], libraries[LONG], *variables[5] = {"LC_ALL=C.UTF-8", home};
    /* java reads the words in that file of its directory. */
    static char *words[] = {NULL, "@jvm.options", option, property, "-cp", "muster.jar:start.jar", "dev.muster.Start", NULL};
    words[0] = find_java(build);
    snprintf(option, sizeof option, has_class_data ? USUAL : "-XX:+DisplayVMOutput");
    snprintf(property, sizeof property, USUAL);
    has_data = false;
    if (has_class_data) find_class_data(build, option, property);
    snprintf(home, sizeof home, "MUSTER_HOME=%s", package);
    snprintf(zone, sizeof zone, "TZ=%.290s", of_caller("TZ"));
    /* Without /proc a java does not find its own libraries. */
    snprintf(libraries, sizeof libraries, "LD_LIBRARY_PATH=%.*s/../lib", (int)(strrchr(words[0], '/') - words[0]), words[0]);
    int count = 2;
    if (zone[3]) variables[count++] = zone;
    if (!can_see) variables[count++] = libraries;
    variables[count] = NULL;
    *environment = variables;
    return words;
}

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

/* Commands that start nothing need no supervisor. Nobody would start their JVM again without its class data. */
void jvm_instead(char **words) {
    char **environment, **command = java_command(&environment, false), *all[MOST_WORDS + 1];
    int used = 0;
    while (*command) all[used++] = *command++;
    while (*words && used < MOST_WORDS) all[used++] = *words++;
    all[used] = NULL;
    become_jvm(all, environment);
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
    return has_data;
}

/* A JVM that stands still obeys nobody: it is woken, and given up when that does not help. */
void jvm_wake(int64_t at) {
    static int64_t stopped_since;
    struct process jvm;
    bool is_stopped = process_read(run->jvm, &jvm) && (jvm.state == 'T' || jvm.state == 't');
    if (!is_stopped || !stopped_since) stopped_since = at;
    if (is_stopped) kill(run->jvm, at - stopped_since > TO_GO_ON ? SIGKILL : SIGCONT);
}
