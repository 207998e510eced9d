#include "host/spread/processes.h"

#include "host/spread/lifeline.h"
#include "host/spread/remote.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const gr_transport *joined;
static int strangers; /* they are of another build: nothing can be asked of them */

static void (*_Atomic passes_on)(void);
static atomic_int told; /* before anybody listened, too */

void gr_processes_tell(void) {
    gr_lifeline_tell();
}

void gr_processes_told(void) {
    told = 1;
    void (*pass_on)(void) = passes_on;
    if (pass_on)
        pass_on();
}

void gr_processes_listen(void (*pass_on)(void)) {
    passes_on = pass_on;
    if (told)
        pass_on();
}

const gr_transport *gr_processes(void) {
    return joined;
}

static int number_in(const char *name) {
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

/* Processes that the launcher says there are: Open MPI's, MPICH's and Intel's, srun --mpi=pmix. */
static int processes_started(void) {
    const char *asked = getenv("GRAMPUS_MPI");
    int ompi = number_in("OMPI_COMM_WORLD_SIZE"), pmi = number_in("PMI_SIZE"),
        slurm = getenv("PMIX_RANK") ? number_in("SLURM_NTASKS") : 0;
    if (asked && strcmp(asked, "0") == 0)
        return 1;
    return ompi > 1 ? ompi : pmi > 1 ? pmi : slurm > 1 ? slurm : 1;
}

/* grampus-mpi.so beside the program, or where `make install` puts it. */
enum { PLUGIN_PATH = 4096 };
static int find_plugin(char path[PLUGIN_PATH]) {
    static const char *const places[] = {"", "../lib/grampus/"};
    char program[2048];
    const char *named = getenv("GRAMPUS_MPI_LIBRARY");
    if (named) {
        snprintf(path, PLUGIN_PATH, "%s", named);
        return access(path, R_OK) == 0;
    }
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return 0;
    program[length] = 0;
    *strrchr(program, '/') = 0;
    for (int k = 0; k < 2; k++) {
        snprintf(path, PLUGIN_PATH, "%s/%sgrampus-mpi.so", program, places[k]);
        if (access(path, R_OK) == 0)
            return 1;
    }
    return 0;
}

int gr_processes_can_join(void) {
    char path[PLUGIN_PATH];
    return find_plugin(path);
}

static void *load_plugin(const char **why) {
    char path[PLUGIN_PATH];
    *why = "there is no grampus-mpi.so";
    void *library = find_plugin(path) ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (find_plugin(path) && !library) /* MPI loads parts that look for it: global */
        *why = dlerror();
    return library;
}

/* What a process was built from (the Makefile has a sum of the sources that say what processes send
 * one another, and what becomes of it). */
typedef struct build {
    char text[128];
} build;
static const build own = {"grampus " GR_VERSION ", sources " GR_SOURCES};

/* Tells all others what this one was built from: the first that answers with something else. */
static int ask_others(const gr_transport *t, build *other) {
    int found = 0;
    for (int rank = 1; rank < t->size; rank++)
        t->send(&own, sizeof own, rank);
    for (int rank = 1; rank < t->size; rank++) {
        build answer = {""};
        t->receive(&answer, sizeof answer, rank);
        if (!found && strcmp(answer.text, own.text)) {
            found = rank;
            *other = answer;
        }
    }
    for (int rank = 1; rank < t->size; rank++)
        t->send(&found, sizeof found, rank);
    return found;
}

/* What it found. */
static int ask_leader(const gr_transport *t) {
    build lead = {""};
    int found = 0;
    t->receive(&lead, sizeof lead, 0);
    t->send(&own, sizeof own, 0);
    t->receive(&found, sizeof found, 0);
    return found;
}

/* Others would take what they are sent for something else, or breed other programs. The leading
 * process tells of it. */
static gr_status refuse_other_builds(const gr_transport *t, gr_error *error) {
    build other = {""};
    int rank = t->rank == 0 ? ask_others(t, &other) : ask_leader(t);
    strangers = rank != 0;
    if (!strangers || t->rank > 0)
        return strangers ? GR_FAILED : GR_OK;
    return gr_fail(error, GR_FAILED, "process %d is of another build (%.127s); expected %s", rank,
                   other.text, own.text);
}

gr_status gr_processes_join(gr_error *error) {
    int started = processes_started();
    gr_transport_join *join = NULL;
    if (started < 2)
        return GR_OK;
    const char *why;
    void *library = load_plugin(&why);
    if (library)
        *(void **)&join = dlsym(library, GR_TRANSPORT_JOIN);
    if (!join)
        return gr_fail(error, GR_FAILED,
                       "started as %d processes, and MPI cannot be loaded: %s; expected "
                       "grampus-mpi.so beside the program (make builds it where there is MPI), or "
                       "GRAMPUS_MPI=0 for processes that have nothing to do with one another",
                       started, library ? "it is of another version" : why);
    joined = join();
    if (!joined)
        return gr_fail(error, GR_FAILED, "MPI does not start");
    gr_status status = refuse_other_builds(joined, error);
    if (!status)
        gr_lifeline_tie(joined, gr_processes_told);
    return status;
}

void gr_processes_leave(int code) {
    if (!joined)
        return;
    gr_lifeline_loosen();
    if (joined->rank == 0 && !strangers)
        gr_remote_dismiss(joined, code);
    joined->leave();
    gr_lifeline_untie();
    joined = NULL;
}
