/* Starts the JVM and all other processes. Each leads its own session, and has the caller's signals, limits and environment. */
#include "supervisor.h"

#define LONG (sizeof run->package + 250)
#define TASKS_OF_JVM 24

int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (file < 0 || !connect(file, (struct sockaddr *)&address, sizeof address)) return file;
    close(file);
    return -1;
}

/* Opens an end of a pipe of the JVM by the number of its descriptor; or a Unix socket by its path, if there is no /proc. */
static int open_target(const char *target, int mode) {
    char path[64];
    if (*target == '/') return connect_to(target);
    snprintf(path, sizeof path, "/proc/%d/fd/%s", run->jvm, target);
    return open(*target == '-' ? "/dev/null" : path, mode | O_CLOEXEC);
}

/* Called in the new process. Returns when the program cannot start. A file without "#!" is a shell script. */
static void become(char **arguments, char **environment, const sigset_t *ignored, const sigset_t *mask) {
    char *words[4096] = {"sh"};
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP) signal(number, sigismember(ignored, number) == 1 ? SIG_IGN : SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execve(arguments[0], arguments, environment);
    if (errno != ENOEXEC) return;
    for (int i = 0; i < 4094 && arguments[i]; i++) words[i + 1] = arguments[i];
    execve("/bin/sh", words, environment);
}

static pid_t fork_leader(int death_signal) {
    pid_t parent = getpid(), child = fork();
    if (child) return child;
    setsid();
    prctl(PR_SET_PDEATHSIG, death_signal), prctl(PR_SET_PTRACER, parent); /* for Yama: descendants of inner, such as py-spy, may attach */
    if (getppid() != parent) _exit(127); /* the parent has died */
    return 0;
}

/* Called in the new process. Returns why its program cannot start: an errno, negative if its directory is the reason. */
static int begin_program(const struct order *order, const int files[3]) {
    char **words = calloc((size_t)(order->end - order->kind), sizeof *words), *word = NULL, *name = NULL, *variable = NULL;
    for (size_t i = 0; words && (word = order_next(order, "arg", word)); i++) words[i] = word;
    for (int file = 0; file < 3; file++) dup2(files[file], file);
    setrlimit(RLIMIT_NOFILE, &run->files);
    if (chdir(order_text(order, "dir"))) return -errno;
    while ((name = order_next(order, "unset", name))) unsetenv(name);
    while ((variable = order_next(order, "set", variable))) putenv(variable);
    if (words) become(words, environ, &run->ignored, &run->mask);
    return errno;
}

/* Whether the process runs; else errno tells why not. The new process shares the memory of run. */
static bool spawn(const struct order *order, struct start *start) {
    const char *errors = order_text(order, "err"), *drain = order_text(order, "drain"), *input = order_text(order, "input");
    int in = !strcmp(input, "1") ? 0 : open_target(*input ? input : "-1", O_RDONLY), out = open_target(order_text(order, "out"), O_WRONLY);
    int files[3] = {in, out, *errors ? open_target(errors, O_WRONLY) : out};
    pid_t child = in < 0 || out < 0 || files[2] < 0 ? -1 : fork_leader(SIGTERM);
    int refusal = errno;
    if (child == 0) {
        start->refusal = begin_program(order, files);
        _exit(127);
    }
    for (int file = 0; file < 3; file++)
        if (files[file] > 0) close(files[file]); /* perhaps twice, which does no harm */
    errno = refusal;
    if (child < 0) return false;
    start->pid = child;
    start->drain = *drain ? open_target(drain, O_RDONLY | O_NONBLOCK) : -1; /* what it writes itself is seen here, too */
    start->end = (int)syscall(SYS_pidfd_open, child, 0);
    if (start->end >= 0) watch(start->end, start, EPOLLIN);
    return true;
}

/* False: the record is no valid order to start. */
bool start_process(const struct order *order) {
    int64_t id = order_number(order, "id");
    if (id <= 0 || !*order_text(order, "arg") || !*order_text(order, "dir")) return false;
    int place = 1;
    while (place < MOST_STARTS && run->starts[place].id) place++;
    struct start *start = &run->starts[place];
    *start = (struct start){0};
    errno = EAGAIN;
    if (place == MOST_STARTS || !spawn(order, start)) {
        tell(strerror(errno), "failed id=%lld error=%d", (long long)id, errno);
        return true;
    }
    if (place >= run->most) run->most = place + 1;
    start->id = id;
    snprintf(start->wrapper, sizeof start->wrapper, "%s", order_text(order, "wrapper"));
    start->is_host = order_number(order, "host");
    start->waits_for_others = order_number(order, "waits");
    snprintf(start->note, sizeof start->note, "%s", order_text(order, "note"));
    tell(NULL, "started id=%lld pid=%d", (long long)id, start->pid);
    return true;
}

/* The JVM. */

/* Reads the version and build of a java from its release file, without quotes; empty if there is no such file. */
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

/* Called in the lib directory. Finds the package's own java, else one in JAVA_HOME, then PATH. A java without a release file is accepted: the
 * launcher's first class checks its version. */
static char *find_java(char build[200]) {
    char places[16384], version[64], old[400] = "", *rest = NULL;
    const char *given = getenv("JAVA_HOME"), *home = given ? given : "", *path = getenv("PATH");
    run->has_own_java = !access("own-java.options", F_OK);
    if (run->has_own_java && strchr(run->package, ':')) leave(69, "%s: no Java runs in a path with a colon. Move the package", run->package);
    if (run->has_own_java && access("../jre/bin/java", X_OK)) leave(69, "%s/jre/bin/java: %s. Install the package again", run->package, strerror(errno));
    if (run->has_own_java) return realpath("../jre/bin/java", NULL);
    if (!path || !*path) path = "/bin:/usr/bin";
    snprintf(places, sizeof places, "%s%s%s", home, *home ? "/bin:" : "", path);
    for (char *at = strtok_r(places, ":", &rest); at; at = strtok_r(NULL, ":", &rest)) {
        char name[8400], *java;
        snprintf(name, sizeof name, "%s%s%s/java", *at == '/' ? "" : run->callers_directory, *at == '/' ? "" : "/", at);
        if (access(name, X_OK) || !(java = realpath(name, NULL))) continue;
        read_release(java, version, build);
        if (!*version || atoi(strncmp(version, "1.", 2) ? version : version + 2) >= 17) return java;
        if (!*old) snprintf(old, sizeof old, "%.300s is Java %s", name, version);
    }
    leave(69, "needs Java 17 or newer; %s. Install openjdk-17-jre-headless or set JAVA_HOME. Looked in JAVA_HOME=%.500s, PATH=%.1000s",
        *old ? old : "found none", home, path);
}

/* Finds the class data lib/cds/MAKER-BUILD-ARCHITECTURE-DIGEST.aot or .jsa for the build of the Java. */
static void find_class_data(const char *build, char option[LONG], char property[LONG]) {
    char pattern[LONG];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/lib/cds/*-%s-*.[aj]*", run->package, build);
    if (!*build || glob(pattern, 0, NULL, &found)) return;
    const char *file = found.gl_pathv[0] + strlen(run->package) + strlen("/lib/");
    snprintf(option, LONG, "-XX:%s=%s", strstr(file, ".aot") ? "AOTCache" : "SharedArchiveFile", file);
    snprintf(property, LONG, "-Dmuster.classdata=%s", file);
    globfree(&found);
}

/* Becomes the JVM, in the lib directory, which has the jar and jvm.options with java's arguments. A package's own java has one more file of them. */
void become_jvm(char **arguments) {
    char build[200], home[LONG], directory[LONG], libraries[LONG], option[LONG] = "-Xshare:auto" /* the default */, property[LONG] = "-Xshare:auto";
    char *words[4096] = {NULL, "@jvm.options", option, property, "-cp", "muster.jar:start.jar", "dev.muster.Start"};
    static const char *const KEPT[] = {"TZ=", "TERM=", "NO_COLOR=", "CLICOLOR_FORCE=", "MUSTER_COLOR=", "MUSTER_LOG_DIR=", NULL};
    char *variables[12] = {"LC_ALL=C.UTF-8", home, directory};
    int used = 7, set = 3;
    static sigset_t deaf, none;
    /* The launcher's JVM ignores a signal to all processes of a job. A command such as muster ps does not. */
    if (!*arguments) sigaddset(&deaf, SIGTERM), sigaddset(&deaf, SIGINT), sigaddset(&deaf, SIGHUP), sigaddset(&deaf, SIGUSR1);
    if (chdir(run->package) || chdir("lib") || access("jvm.options", R_OK))
        leave(69, "%s/lib/jvm.options: %s. Install the whole package, and make a link to bin/muster", run->package, strerror(errno));
    words[0] = find_java(build);
    if (run->has_own_java) words[2] = "@own-java.options", used = 3;
    else find_class_data(build, option, property);
    while (*arguments && used < 4095) words[used++] = *arguments++;
    words[used] = NULL;
    snprintf(home, sizeof home, "MUSTER_HOME=%s", run->package);
    snprintf(directory, sizeof directory, "MUSTER_DIRECTORY=%s", run->callers_directory);
    for (char **own = environ; *own; own++)
        for (const char *const *kept = KEPT; *kept && set < 10; kept++)
            if (!strncmp(*own, *kept, strlen(*kept))) variables[set++] = *own;
    /* Without /proc java does not find its own libraries. */
    snprintf(libraries, sizeof libraries, "LD_LIBRARY_PATH=%.*s/../lib", (int)(strrchr(words[0], '/') - words[0]), words[0]);
    if (!can_see) variables[set] = libraries;
    become(words, variables, &deaf, &none);
    jvm_explain(126), _exit(126);
}

/* Starts the JVM. Returns the socket for records. */
int jvm_start(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) leave(75, NO_FILES);
    pid_t child = fork_leader(SIGCONT); /* a suspended JVM would outlive inner */
    if (child < 0) jvm_explain(0), leave(75, NO_PROCESSES);
    if (child == 0) dup2(ends[1], 0), become_jvm((char *[]){NULL});
    run->jvm = child;
    close(ends[1]);
    return ends[0];
}

static void require_memory(int limit, const char *name, rlim_t mebibytes) {
    struct rlimit memory;
    if (!getrlimit(limit, &memory) && memory.rlim_cur >> 20 < mebibytes)
        leave(78, "%s is %llu KiB, too little for a JVM. Raise it", name, (unsigned long long)memory.rlim_cur / 1024);
}

/* Counts by real forks, since limits have many sources. */
static void require_tasks(void) {
    pid_t children[TASKS_OF_JVM];
    int count = 0;
    for (; count < TASKS_OF_JVM && (children[count] = fork()) >= 0; count++)
        if (children[count] == 0) pause(), _exit(0);
    for (int i = 0; i < count; i++) kill(children[i], SIGKILL), waitpid(children[i], NULL, 0);
    if (count < TASKS_OF_JVM)
        leave(78, "the launcher needs %d processes and threads, and %d can be made here: pids.max of the container, or ulimit -u. Raise it",
            TASKS_OF_JVM, count);
}

/* The JVM has ended before the launcher began. Ends with the reason, if one is found. */
void jvm_explain(int status) {
    if (status == 69) exit(69); /* there is no Java of 17 or newer, and the child has printed that */
    if (status == 126 || status == 127)
        leave(69, run->has_own_java ? "the Java of this package cannot be run here: it needs glibc 2.17 or newer, not musl. Take the generic package "
            "(muster-VERSION-linux-ARCHITECTURE-generic.tar.gz) and a Java of this system" : "the Java that was found cannot be run. Set JAVA_HOME to another one");
    require_memory(RLIMIT_AS, "RLIMIT_AS (ulimit -v)", 4096);
    require_memory(RLIMIT_DATA, "RLIMIT_DATA (ulimit -d)", 1024);
    require_tasks();
}
