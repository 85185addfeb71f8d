/* muster stop: needs no JVM, as it is called where there may be no room for one. */
#include "supervisor.h"

#define MOST_LAUNCHERS 256
#define BEYOND_THE_GRACE 10000
#define TO_ANSWER 2000

struct launcher {
    int file, pid, peer, nested, code;
    long long grace; /* all times here are milliseconds */
    int64_t since;
    char name[1100], job[1024];
    bool is_told, has_ended, is_over;
};

static struct launcher launchers[MOST_LAUNCHERS];
static int launcher_count;

static int64_t milliseconds(void) {
    return now() / MILLISECOND;
}

/* A line that is there, or comes in time. */
static bool hear(struct launcher *launcher, char *line, size_t room, int timeout) {
    struct pollfd words = {.fd = launcher->file, .events = POLLIN};
    size_t length = 0;
    while (!launcher->has_ended && length < room - 1 && poll(&words, 1, length ? TO_ANSWER : timeout) > 0) {
        launcher->has_ended = recv(launcher->file, line + length, 1, 0) <= 0;
        if (!launcher->has_ended && line[length++] == '\n') return line[length - 1] = 0, true;
    }
    return false;
}

static bool is_simulation(const struct launcher *launcher) {
    return !strncmp(launcher->job, "simulation ", 11);
}

/* Those of another container have no number here. */
static void add(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct ucred peer = {0};
    socklen_t length = sizeof peer;
    struct launcher *launcher = &launchers[launcher_count];
    char line[1400];
    int at = 0, own = getpid();
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    *launcher = (struct launcher){.file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), .pid = atoi(strrchr(path, '/') + 1), .job = "-"};
    bool is_there = launcher_count < MOST_LAUNCHERS - 1 && !connect(launcher->file, (struct sockaddr *)&address, sizeof address);
    if (!is_there && errno == ECONNREFUSED) unlink(path);
    if (!is_there || getsockopt(launcher->file, SOL_SOCKET, SO_PEERCRED, &peer, &length) || !peer.pid || write(launcher->file, "who\n", 4) != 4) {
        close(launcher->file);
        return;
    }
    launcher->peer = peer.pid;
    if (hear(launcher, line, sizeof line, TO_ANSWER) && sscanf(line, "%d %lld %d %n", &own, &launcher->grace, &launcher->nested, &at) == 3)
        snprintf(launcher->job, sizeof launcher->job, "%s", line + at);
    if (own != getpid()) { /* as one of another container sees us */
        close(launcher->file);
        return;
    }
    const char *kind = is_simulation(launcher) ? "" : strcmp(launcher->job, "-") ? "job " : "a launcher that has started nothing yet";
    snprintf(launcher->name, sizeof launcher->name, "%s%s (pid %d)", kind, *launcher->job == '-' ? "" : launcher->job, launcher->pid);
    launcher_count++;
}

static void find(void) {
    for (int i = 0; i < 3; i++) {
        char pattern[220], user[16];
        glob_t found;
        snprintf(user, sizeof user, "%u", (unsigned)geteuid());
        snprintf(pattern, sizeof pattern - 8, SOCKET_PLACES[i], geteuid() ? user : "*");
        if (glob(strcat(pattern, "/*.sock"), 0, NULL, &found)) continue;
        for (size_t at = 0; at < found.gl_pathc; at++) add(found.gl_pathv[at]);
        globfree(&found);
    }
}

/* Negative for what is no duration. */
static long long duration(const char *text) {
    static const char *const UNITS[] = {"ms", "s", "", "m", "h", "d"};
    static const double LENGTHS[] = {1, 1e3, 1e3, 6e4, 3.6e6, 8.64e7};
    char *end;
    double number = strtod(text, &end);
    for (int i = 0; i < 6; i++)
        if (*text >= '0' && *text <= '9' && number < 1e9 && !strcmp(end, UNITS[i])) return (long long)(number * LENGTHS[i]);
    return -1;
}

/* Keeps those that are meant. One that another has started ends with that, but has to be told of another grace; a simulation ends with those. */
static void choose(const char *job, const char *grace, bool is_all) {
    char names[2000] = "";
    int kept = 0, own = 0, found = launcher_count;
    for (int i = 0; i < found; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? "; " : "", launchers[i].name);
        own += !launchers[i].nested;
        bool ends_with_others = is_simulation(&launchers[i]) && grace && !job;
        if (ends_with_others) say("%s ends with the launchers that it has started", launchers[i].name);
        else if (job ? !strcmp(job, launchers[i].job) : !launchers[i].nested || grace) launchers[kept++] = launchers[i];
    }
    if (!kept && !job) kept = found;
    if (!kept && found) leave(64, "no launcher of job \"%s\" runs here, but %s", job, names);
    if (own > 1 && !job && !is_all) leave(64, "several launchers run here: %s. Say which: --job ID, or --all", names);
    launcher_count = kept;
}

static void obey(struct launcher *launcher, const char *line) {
    char kind[16] = "", how[16] = "";
    long long number = 0;
    sscanf(line, "%15s %lld %15s", kind, &number, how);
    if (!strcmp(kind, "stopping")) {
        int unit = number % 1000 ? 1 : number % 60000 || !number ? 1000 : 60000;
        const char *unit_name = unit == 1 ? "ms" : unit == 1000 ? "s" : "m";
        if (!launcher->is_told || number != launcher->grace)
            say("stopping %s (grace %lld%s%s)", launcher->name, number / unit, unit_name, *how ? ", its own" : "");
        launcher->is_told = true;
        launcher->grace = number;
        launcher->since = milliseconds();
    } else if (!strcmp(kind, "ended")) {
        say("%s has ended with exit code %lld", launcher->name, number);
        launcher->is_over = true;
    }
}

/* Whether it is not over. Who does not answer gets a signal, and is woken. */
static bool await(struct launcher *launcher) {
    char line[256];
    while (hear(launcher, line, sizeof line, 0)) obey(launcher, line);
    int64_t since = milliseconds() - launcher->since;
    if (launcher->is_over || (launcher->has_ended && kill(launcher->peer, 0))) return false;
    if (!launcher->is_told && since > TO_ANSWER) {
        say("stopping %s by SIGTERM: it does not answer", launcher->name);
        launcher->is_told = true;
        process_signal(launcher->peer, SIGTERM); /* anybody can give a socket the number of somebody else */
    }
    if (since > launcher->grace + BEYOND_THE_GRACE) leave(75, "not ended in time: %s. What was begun goes on", launcher->name);
    return true;
}

/* Negative: Java explains these words. */
int stop_command(int count, char **words) {
    const char *job = NULL, *grace = NULL;
    bool is_all = false;
    for (int i = 0; i < count; i++) {
        const char **place = !strncmp(words[i], "--job", 5) ? &job : !strncmp(words[i], "--grace", 7) ? &grace : NULL;
        const char *rest = place ? words[i] + (place == &job ? 5 : 7) : "";
        if (!strcmp(words[i], "--all")) is_all = true;
        else if (place && *rest == '=') *place = rest + 1;
        else if (place && !*rest && i + 1 < count) *place = words[++i];
        else return -1;
    }
    char line[64] = "stop -\n";
    if (grace && duration(grace) < 0) return -1;
    if (grace) snprintf(line, sizeof line, "stop %lld\n", duration(grace));
    find();
    choose(job, grace, is_all);
    if (!launcher_count) say("no launcher runs here: there is nothing to stop");
    for (int i = 0; i < launcher_count; i++) {
        launchers[i].since = milliseconds();
        launchers[i].has_ended = send(launchers[i].file, line, strlen(line), MSG_NOSIGNAL) < 0;
    }
    for (int left = launcher_count; left; poll(NULL, 0, left ? 10 : 0)) {
        left = 0;
        for (int i = 0; i < launcher_count; i++) left += await(&launchers[i]);
    }
    return 0;
}
