/* grampus devices: what a run can use, and be spread over. */
#include "gpu/backend/cards.h"
#include "gpu/backend/engine.h"
#include "host/base/json.h"
#include "host/cli/commands.h"
#include "host/cli/links.h"
#include "host/spread/processes.h"

static const struct {
    const char *name;
    const gr_backend *backend; /* NULL: not compiled in */
} backends[] = {
#ifdef GRAMPUS_CUDA
    {"cuda", &gr_backend_cuda},
#else
    {"cuda", NULL},
#endif
    {"cpu", &gr_backend_cpu},
};
enum { BACKENDS = sizeof backends / sizeof *backends };

#ifdef GRAMPUS_CUDA
static void show_link(uint32_t a, uint32_t b, int json, cJSON *links) {
    char bus[2][32], by[64];
    int reaches = gr_cuda_reaches(a, b) && gr_cuda_reaches(b, a);
    gr_cuda_bus(a, bus[0], sizeof bus[0]);
    gr_cuda_bus(b, bus[1], sizeof bus[1]);
    gr_link_between(bus[0], bus[1], by, sizeof by);
    cJSON *link = cJSON_CreateObject();
    cJSON_AddNumberToObject(link, "from", a);
    cJSON_AddNumberToObject(link, "to", b);
    gr_json_add_text(link, "by", by);
    cJSON_AddBoolToObject(link, "peer", reaches);
    cJSON_AddItemToArray(links, link);
    if (!json)
        printf("link   %u to %u: %s, %s\n", a, b, by,
               reaches ? "each reads the other's memory" : "through the host");
}

/* The cards, how they are linked, and NCCL. */
static void show_cards(int json, cJSON *object) {
    uint32_t cards = gr_cuda_cards();
    cJSON *list = cJSON_AddArrayToObject(object, "cards"),
          *links = cJSON_AddArrayToObject(object, "links");
    for (uint32_t k = 0; k < cards; k++) {
        char line[256], bus[32];
        gr_cuda_describe(k, line, sizeof line);
        gr_cuda_bus(k, bus, sizeof bus);
        cJSON *card = cJSON_CreateObject();
        cJSON_AddNumberToObject(card, "number", k);
        gr_json_add_text(card, "device", line);
        gr_json_add_text(card, "bus", bus);
        cJSON_AddItemToArray(list, card);
        if (!json && cards > 1)
            printf("card   %u: %s, %s\n", k, line, bus);
    }
    for (uint32_t a = 0; a < cards; a++)
        for (uint32_t b = a + 1; b < cards; b++)
            show_link(a, b, json, links);
    int version = cards > 1 ? gr_cuda_nccl_version() : 0;
    char text[64] = "not found; islands of a run need it on several GPUs";
    if (version)
        snprintf(text, sizeof text, "%d.%d.%d", version / 10000, version / 100 % 100,
                 version % 100);
    if (cards > 1)
        gr_json_add_text(object, "nccl", text);
    if (cards > 1 && !json)
        printf("nccl   %s\n", text);
}
#endif

static void show_mpi(int json, cJSON *object) {
    int there = gr_processes_can_join();
    cJSON_AddBoolToObject(object, "mpi", there);
    if (!json)
        printf("mpi    %s\n", there ? "mpirun -n K grampus run FILE: a process a device"
                                    : "not built in (make MPI=1)");
}

gr_status gr_command_devices(int argc, char **argv, gr_error *error) {
    int json, done;
    gr_status status = gr_options_json(
        argc, argv,
        "usage: grampus devices [--json] [-h | --help]\n\nLists the devices a run can use; device: "
        "auto takes the one that ends first. Of several GPUs how\nthey are linked, and the NCCL "
        "that takes islands from one to another.\n",
        &json, &done, error);
    if (status || done)
        return status;
    cJSON *object = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(object, "devices");
    for (int i = 0; i < BACKENDS; i++) {
        char line[256] = "this grampus was built without CUDA";
        const gr_backend *backend = backends[i].backend;
        int available = backend && backend->available(line, sizeof line);
        cJSON *one = cJSON_CreateObject();
        gr_json_add_text(one, "backend", backends[i].name);
        cJSON_AddBoolToObject(one, "available", available);
        gr_json_add_text(one, available ? "device" : "why", line);
        cJSON_AddItemToArray(list, one);
        if (!json)
            printf("%-6s %s%s\n", backends[i].name, available ? "" : "not usable: ", line);
    }
#ifdef GRAMPUS_CUDA
    show_cards(json, object);
#endif
    show_mpi(json, object);
    if (json)
        status = gr_json_write(object, 0, stdout, "standard output", error);
    cJSON_Delete(object);
    return status;
}
