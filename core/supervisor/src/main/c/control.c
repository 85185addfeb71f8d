/* The launcher's socket, and the lock of its part of a job. Both lie in a directory that only their user can enter. */
#include "supervisor.h"

#define MOST_CLIENTS 64
#define FOR_CLIENTS 3000

static char place[64], own_socket[108], own_job[1024] = "-";
static int lock_file = -1;
static struct connection {
    int file;
    int64_t id; /* 0: none */
    struct ucred peer;
    bool awaits_end;
} clients[MOST_CLIENTS];
static int64_t last_id;

static const char *const PLACES[] = {"/run/user/%u/muster", "/dev/shm/muster-%u", "/tmp/muster-%u"};

static bool make_directory(void) {
    for (int i = 0; i < 3; i++) {
        struct stat found;
        snprintf(place, sizeof place, PLACES[i], (unsigned)geteuid());
        mkdir(place, 0700);
        bool is_ours = !lstat(place, &found) && S_ISDIR(found.st_mode) && found.st_uid == geteuid() && !(found.st_mode & 077);
        if (is_ours && !access(place, W_OK)) return true;
    }
    return false;
}

static void remove_files(void) {
    if (*own_socket) unlink(own_socket);
    if (lock_file >= 0) unlink(run->lock_path);
    rmdir(place); /* where nobody else is */
}

/* Where there is no place for it signals must do. */
int control_open(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = make_directory() ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
    if (listener < 0) return -1;
    /* Containers that share the place have processes of the same number. */
    snprintf(own_socket, sizeof own_socket, "%s/%d-%llx.sock", place, run->outer, (unsigned long long)now());
    memcpy(address.sun_path, own_socket, sizeof own_socket);
    atexit(remove_files);
    for (int tries = 0; tries < 3; tries++) {
        if (!bind(listener, (struct sockaddr *)&address, sizeof address) && !listen(listener, MOST_CLIENTS)) return listener;
        make_directory(); /* the last one in it may just have removed it */
    }
    close(listener);
    return -1;
}

/* Whoever leaves removes the file, so that what we have locked may not be there any more. Where none can be made nobody is kept out. */
static bool try_lock(void) {
    struct stat opened, named;
    lock_file = make_directory() ? open(run->lock_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    if (lock_file < 0) return true;
    if (flock(lock_file, LOCK_EX | LOCK_NB)) return false;
    if (!fstat(lock_file, &opened) && !stat(run->lock_path, &named) && opened.st_ino == named.st_ino) return true;
    close(lock_file);
    return try_lock();
}

/* The content is for who finds it taken. */
void lock_take(const struct order *order) {
    char text[64] = "";
    long long pid = 0, holders_grace = 0;
    snprintf(own_job, sizeof own_job, "%s", order_text(order, "text"));
    if (lock_file >= 0) unlink(run->lock_path), close(lock_file);
    snprintf(run->lock_path, sizeof run->lock_path, "%s/%s.lock", place, order_text(order, "file"));
    if (try_lock()) {
        if (lock_file >= 0 && (ftruncate(lock_file, 0) || dprintf(lock_file, "%d %s", run->outer, order_text(order, "grace")) < 0))
            say("warning: cannot write %s: %s", run->lock_path, strerror(errno));
        tell(NULL, "locked");
        return;
    }
    if (read(lock_file, text, sizeof text - 1) > 0) sscanf(text, "%lld %lld", &pid, &holders_grace);
    tell(NULL, "busy pid=%lld grace=%lld", pid, holders_grace);
    close(lock_file);
    lock_file = -1;
}

void control_accept(int listener) {
    int file = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), at = 0;
    struct ucred peer;
    socklen_t length = sizeof peer;
    while (at < MOST_CLIENTS && clients[at].id) at++;
    bool is_known = file >= 0 && !getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &length) && (peer.uid == 0 || peer.uid == geteuid());
    if (is_known && at < MOST_CLIENTS) {
        clients[at] = (struct connection){file, ++last_id * MOST_CLIENTS + at, peer, false};
        watch(file, CONNECTION, at, EPOLLIN);
    } else if (file >= 0) close(file);
}

static void disconnect(struct connection *connection) {
    close(connection->file);
    connection->id = 0;
}

/* Whoever does not read is left alone. */
static void answer(struct connection *to, const char *text, bool is_last) {
    size_t length = strlen(text);
    bool is_sent = send(to->file, text, length, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)length && send(to->file, "\n", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
    if (is_last || !is_sent) disconnect(to);
}

void control_reply(const struct order *order) {
    int64_t id = order_number(order, "connection");
    struct connection *to = &clients[id > 0 ? id % MOST_CLIENTS : 0];
    if (id > 0 && to->id == id) answer(to, order_text(order, "text"), order_number(order, "last"));
}

/* To all who wait for the end: that it is being stopped, by us. */
void control_tell(const char *word) {
    char line[64];
    snprintf(line, sizeof line, "%s %lld own", word, (long long)(run->grace / MILLISECOND));
    for (int i = 0; i < MOST_CLIENTS; i++)
        if (clients[i].id && clients[i].awaits_end) answer(&clients[i], line, false);
}

static void handle_request(struct connection *from, const char *line) {
    char text[1400];
    if (!strcmp(line, "who")) {
        snprintf(text, sizeof text, "%d %lld %d %s", from->peer.pid, (long long)(run->grace / MILLISECOND), getenv("MUSTER_JOB") != NULL, own_job);
        answer(from, text, false);
        return;
    }
    if (!strncmp(line, "stop ", 5)) {
        from->awaits_end = true;
        if (line[5] != '-') run->grace = strtoll(line + 5, NULL, 10) * MILLISECOND;
        ask_to_stop(SIGTERM);
        if (!is_jvm_there) control_tell("stopping");
    }
    tell(line, "request connection=%lld", (long long)from->id);
}

/* A line comes in one piece. One that waits for the end says no more. */
void control_read(int at) {
    char line[256];
    ssize_t count = clients[at].id ? recv(clients[at].file, line, sizeof line - 1, MSG_DONTWAIT) : -1;
    if (!clients[at].id || (count < 0 && errno == EAGAIN)) return;
    line[count > 0 ? count : 0] = 0;
    char *end = strchr(line, '\n');
    if (!end) {
        disconnect(&clients[at]);
        return;
    }
    *end = 0;
    handle_request(&clients[at], line);
}

/* All is over. Our end may be that of the container, so those who wait for it leave first: the kubelet minds what its hooks end with. */
void control_end(int code) {
    char line[64];
    snprintf(line, sizeof line, "ended %d", code);
    int64_t until = now() + FOR_CLIENTS * MILLISECOND;
    for (int i = 0; i < MOST_CLIENTS; i++) {
        struct pollfd gone = {.fd = clients[i].file, .events = POLLIN};
        if (!clients[i].id || !clients[i].awaits_end) continue;
        answer(&clients[i], line, false);
        while (clients[i].id && now() < until && poll(&gone, 1, 100) <= 0) continue;
    }
}
