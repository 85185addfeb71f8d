/* Finds the Java that runs the launcher, and its class data. */
#include "supervisor.h"

#define OLDEST 17
#define MOST_WORDS 128

bool java_has_class_data;

static char *words[MOST_WORDS];
static int word_count;

static void add(const char *word) {
    if (word_count < MOST_WORDS - 1) words[word_count++] = strdup(word);
}

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

/* lib/jvm.options has a word on each line that begins with "-"; the build adds words of its own. */
static void add_options(void) {
    char path[sizeof package + 32], line[512], more[2048], *rest = NULL;
    snprintf(path, sizeof path, "%s/lib/jvm.options", package);
    FILE *file = fopen(path, "re");
    if (!file && errno == EMFILE) leave(75, NO_FILES);
    if (!file) leave(69, "%s is missing. Install the package again", path);
    while (file && fgets(line, sizeof line, file))
        if (*line == '-') line[strcspn(line, "\n")] = 0, add(line);
    if (file) fclose(file);
    snprintf(more, sizeof more, "%s", of_caller("MUSTER_JVM_OPTIONS"));
    for (char *word = strtok_r(more, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) add(word);
}

/* lib/cds/MAKER-BUILD-ARCHITECTURE-DIGEST.aot or .jsa, by the build of the Java. */
static void add_class_data(const char *build) {
    char pattern[sizeof package + 250], word[sizeof pattern];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/lib/cds/*-%s-*.[aj]*", package, build);
    if (!*build || glob(pattern, 0, NULL, &found)) return;
    const char *file = found.gl_pathv[0] + strlen(package) + strlen("/lib/");
    bool is_aot = strstr(file, ".aot");
    snprintf(word, sizeof word, is_aot ? "-XX:AOTCache=%s" : "-XX:SharedArchiveFile=%s", file);
    add(word);
    if (!is_aot) add("-Xshare:auto");
    snprintf(word, sizeof word, "-Dmuster.classdata=%s", file);
    add(word);
    globfree(&found);
    java_has_class_data = true;
}

char **java_command(char ***environment, bool has_class_data) {
    static char build[200], home[sizeof package + 16], zone[300], libraries[4300], *variables[5] = {"LC_ALL=C.UTF-8", home};
    word_count = 0;
    java_has_class_data = false;
    add(find_java(build));
    add_options();
    if (has_class_data) add_class_data(build);
    else add("-XX:+DisplayVMOutput");
    add("-cp");
    add("muster.jar:start.jar");
    add("dev.muster.Start");
    words[word_count] = NULL;
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
