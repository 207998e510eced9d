/* grampus devices: what a run can use. */
#include "gpu/backend/engine.h"
#include "host/base/json.h"
#include "host/cli/commands.h"

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

gr_status gr_command_devices(int argc, char **argv, gr_error *error) {
    int json, done;
    gr_status status = gr_options_json(
        argc, argv,
        "usage: grampus devices [--json] [-h | --help]\n\nLists the devices a run can use; device: "
        "auto takes the one that ends first.\n",
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
    if (json)
        status = gr_json_write(object, 0, stdout, "standard output", error);
    cJSON_Delete(object);
    return status;
}
