/* What the supervisor and the JVM say to each other, over one Unix stream socket (the JVM's descriptor 0).
 *
 * A record has fields with a zero byte behind each, and one more at its end. The first is its kind; others are KEY=VALUE.
 * Numbers are decimal, times nanoseconds of CLOCK_MONOTONIC, graces milliseconds. A key that a kind does not have is an error, and ends the
 * conversation. A key with * may come several times, one with ? may be missing. Ids are chosen by the JVM, above 0, and never used again.
 *
 * Orders, from the JVM:
 *   ready version                     comes first
 *   start id dir arg* set* unset* out err? drain? input? wrapper? host? waits? note?
 *                                     a process, as the leader of a session; set (NAME=VALUE) and unset change the caller's environment; out and
 *                                     err are numbers of the JVM's descriptors, -1 for nothing, or paths of Unix sockets; drain is the read
 *                                     end of out; input is 1 for the caller's, or such a number; wrapper: it only waits for others, while this is its name, * always;
 *                                     host: it has ranks below it, each in --rank-of-host, waits: those of others too; note: a file, made when ranks are told
 *   signal id number ranks? group?    to the leader, to the ranks below it, or to its process group
 *   stop sequence grace all? only*    ends these, or all, and what they have started; the grace counts from now. all: TERM at once
 *   verdict code                      the launcher ends with it
 *   name text?                        whose code runs in the JVM
 *   settings grace code lost? all? dir? log?
 *                                     for the death of the JVM: code is that after SIGTERM, lost that after the death of outer or inner; dir is removed; log gets last words
 *   socket text                       of the JVM's, a path, which is removed at the end
 *   lock file                         takes that file, which is removed at the end
 *   taken                             a stop is being obeyed
 *   release id                        ranks of a host on other nodes have ended
 *   caught number grace?              the JVM got a signal itself, or is told to stop at its socket
 *
 * Events, to the JVM:
 *   hello version arg* env* dir pid terminal
 *                                     dir is empty where it was deleted
 *   started id pid
 *   failed id error text              errno, negative for the directory, and its words; nothing more comes of this id
 *   ended id status memory user system time
 *                                     status as wait has it; KiB; microseconds; in the order of the ends
 *   leftBehind pid id text            it is ended; id is that of who has left it, 0: nobody knows
 *   signal number
 *   killing sequence id count         the grace is over
 *   remains sequence pid text         ten seconds after SIGKILL
 *   stopped sequence
 *   hostedEnded id                    in a stop no rank of a host runs any more
 *   locked; busy
 */
#ifndef MUSTER_SUPERVISOR_H
#define MUSTER_SUPERVISOR_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define VERSION 1
#define NO_FILES "no more files can be opened here: a limit is reached (ulimit -n)"
#define NO_PROCESSES "no process can be made here: a limit is reached (ulimit -u, or pids.max of the container)"

struct buffer {
    char *bytes;
    size_t begin, end;
    bool is_broken; /* memory has run out, or what came is no record */
};

/* A record of the JVM's, as it lies in the buffer until something is added to that: its kind, and fields behind it. */
struct order {
    char *kind;
    const char *end;
};

void buffer_add(struct buffer *buffer, const void *bytes, size_t length);
bool order_read(struct buffer *buffer, struct order *order);
const char *order_text(const struct order *order, const char *key);
int64_t order_number(const struct order *order, const char *key);
char *order_next(const struct order *order, const char *key, char *value);

#define MOST_STARTS 16384
#define STRAYS 0 /* the first place stands for those that belong to nobody known */
#define NEVER INT64_MAX
#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)

struct start {
    int64_t id; /* 0: this place is free */
    pid_t pid;
    bool is_host, waits_for_others, has_ended, is_told, are_ranks_gone;
    int64_t stop; /* the number of the order by which it is being stopped; 0: none */
    int64_t spread_at, kill_at, killed_at;
    int end, drain; /* descriptors of inner: the process, the end of its output that the JVM reads; 0: none */
    int refusal;    /* why its program did not begin: an errno that the new process has left here, negative for its directory */
    char note[256], wrapper[16];
    struct seen { /* at the last look */
        int left, ranks, wrappers;
        bool has_just_ended; /* one of them: what it has started may have come too late for that look */
    } seen;
};

/* What is known of a launcher, in memory that outer and inner share. */
struct run {
    pid_t outer, inner, jvm;
    int64_t grace, lost_bytes;
    int code, jvm_status, code_after_term, code_when_lost, stop_signal; /* the first that asked to stop; 0: none */
    bool stops_all_at_once, has_own_java, is_attached, is_outer_gone, is_inner_gone, has_strangers, has_begun, has_verdict;
    sigset_t mask, ignored; /* of the caller: for what is started, as they were */
    struct rlimit files;
    char package[4096], callers_directory[4096], lock_path[256], socket_path[256], plugin[256] /* whose code runs in the JVM */, directory[4096], termination_log[4096];
    int most; /* places in use are below it */
    struct start starts[MOST_STARTS + 1 /* for one too many */];
};

/* What a host has below it: what carries its ranks, ranks, and what these have started. */
enum part { CARRIER, RANK, OF_RANK };

/* A process that is there. */
struct process {
    pid_t pid, parent, group, session;
    uint64_t born;
    enum part part;
    bool is_dead, is_ours, is_resolved, is_wrapper;
    char name[17];
    int round; /* when it was last seen */
    struct process *next, *next_in_list;
    struct memory { /* stays from look to look */
        int owner; /* place in run.starts */
        bool is_known, was_dead, is_told, is_killed, is_late /* started by somebody who was told */, is_below_other /* launcher */;
    } memory;
};

extern struct run *run;

/* main.c */
int64_t now(void);
void say(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define leave(code, ...) (say(code, __VA_ARGS__), exit(code))

/* processes.c */
extern bool can_see;
extern struct process *processes; /* that are there, the dead ones too */
void processes_open(void);
void processes_look(void);
bool process_ignores(pid_t pid, int number);
struct process *process_find(pid_t pid);
bool process_is_of(const struct process *process, const struct start *start);
bool is_group_ours(pid_t group);
void process_signal(pid_t pid, int number);

/* stop.c */
struct start *start_of(int64_t id, pid_t pid);
void stop(const struct order *order, int64_t grace);
void stop_signal(struct start *start, int number, bool is_for_ranks, bool is_for_group);
int64_t stop_step(bool has_changed);
bool stop_is_on(void);

/* inner.c */
extern bool is_jvm_there;
_Noreturn void inner_main(int signals, const char *attached, char **arguments);
_Noreturn void take_over(int signals);
void watch(int file, struct start *start, unsigned events);
void tell(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ending.c */
const char *signal_name(int number);
_Noreturn void end_launcher(void);

/* start.c */
int connect_to(const char *path);
bool start_process(const struct order *order);
int jvm_start(void);
_Noreturn void become_jvm(char **arguments);
void jvm_explain(int status);

/* rank.c */
#define LAUNCHER "muster"
#define WRAPPER "muster-rank"
#define LEFT_WRAPPER "muster-left" /* its rank has ended */
int rank_of_host(char **command);

#endif
