/* grampus selftest: known answers on every device. */
#include "host/bench/selftest.h"
#include "host/base/json.h"
#include "host/cli/commands.h"

typedef struct counts {
    int checks, failed, json;
    cJSON *list;
} counts;

static void perform(counts *t, const gr_check *check, const gr_backend *backend) {
    char wrong[512] = "";
    const char *device = check->on_backend ? backend->name : "host";
    int passed = check->check(backend, wrong, sizeof wrong);
    t->checks++;
    t->failed += !passed;
    if (!t->json)
        printf("%s - %s: %s%s%s\n", passed ? "ok" : "not ok", device, check->name,
               passed ? "" : ": ", wrong);
    cJSON *one = cJSON_CreateObject();
    gr_json_add_text(one, "device", device);
    gr_json_add_text(one, "check", check->name);
    cJSON_AddBoolToObject(one, "passed", passed);
    if (!passed)
        gr_json_add_text(one, "wrong", wrong);
    cJSON_AddItemToArray(t->list, one);
}

static void perform_all(counts *t) {
    const gr_backend *backends[2] = {&gr_backend_cpu, NULL};
#ifdef GRAMPUS_CUDA
    char line[256];
    if (gr_backend_cuda.available(line, sizeof line))
        backends[1] = &gr_backend_cuda;
    else if (!t->json)
        printf("# no CUDA device: %s\n", line);
#endif
    for (int i = 0; i < gr_check_count; i++)
        if (!gr_checks[i].on_backend)
            perform(t, &gr_checks[i], backends[0]);
    for (int b = 0; b < 2 && backends[b]; b++)
        for (int i = 0; i < gr_check_count; i++)
            if (gr_checks[i].on_backend)
                perform(t, &gr_checks[i], backends[b]);
}

gr_status gr_command_selftest(int argc, char **argv, gr_error *error) {
    int json, done;
    gr_status status = gr_options_json(
        argc, argv,
        "usage: grampus selftest [--json] [-h | --help]\n\nChecks this build against known "
        "answers on every device; exit code 5 when one differs.\n",
        &json, &done, error);
    if (status || done)
        return status;
    cJSON *object = cJSON_CreateObject();
    counts t = {0, 0, json, cJSON_AddArrayToObject(object, "checks")};
    perform_all(&t);
    cJSON_AddBoolToObject(object, "passed", t.failed == 0);
    if (json)
        status = gr_json_write(object, 0, stdout, "standard output", error);
    cJSON_Delete(object);
    if (!status && t.failed)
        status = gr_fail(error, GR_DEVICE_FAILED, "self-test failed: %d of %d checks", t.failed,
                         t.checks);
    return status;
}
