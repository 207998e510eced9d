# Grampus. `make demo` shows it, `make test` proves it; both install what is missing first (tools/setup).
#
#   CUDA=auto|0|1      with the GPU if there is nvcc | without | or fail
#   CUDA_ARCH="80 90"  compute capabilities; default: the card in this machine, without one 75 80 86 89 90
#   BUILD=build  PREFIX=/usr/local  DESTDIR=  CC=gcc  JOBS=number of processors  V=1 (shows the commands)

BUILD := build
PREFIX := /usr/local
CUDA := auto
JOBS := $(shell nproc 2>/dev/null || echo 2)
VERSION := $(shell sed -n 's/.*GRAMPUS_VERSION "\(.*\)"/\1/p' host/library/grampus.h)

# ---- compilers and libraries ----

PACKAGES := libcyaml yaml-0.1 libcjson zlib
HEADERS := cyaml/cyaml.h yaml.h cJSON.h zlib.h Random123/philox.h
CFLAGS := -I. -std=gnu11 -O3 -g -Wall -Wextra -Wconversion -Wshadow -Werror -ffp-contract=off -fno-math-errno \
          -fno-trapping-math -pthread -fPIC -fvisibility=hidden \
          $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null || echo -I/usr/include/cjson)
LDLIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null || echo -lcyaml -lyaml -lcjson -lz) -lm
CFLAGS += -DGR_VERSION='"$(VERSION)"'# what a run writes down
ifdef SANITIZE
CFLAGS += -O1 -Wno-error -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

# nvcc from CUDA 12.4 on: conditional graph nodes.
NVCC := $(firstword $(wildcard $(addsuffix /bin/nvcc,$(CUDA_HOME))) $(shell command -v nvcc 2>/dev/null) \
                    $(wildcard /usr/local/cuda/bin/nvcc))
NVCC := $(if $(NVCC),$(shell $(NVCC) --version | sed -n 's/.*release \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | \
                             awk '$$1 * 100 + $$2 >= 1204 { print "$(NVCC)" }'))
ifeq ($(CUDA)$(NVCC),1)
$(error CUDA=1, but there is no nvcc of CUDA 12.4 or later on PATH, in $$CUDA_HOME/bin or in /usr/local/cuda/bin)
endif
WITH_CUDA := $(if $(filter 0,$(CUDA)),,$(NVCC))
ifneq ($(WITH_CUDA),)
ifndef CUDA_ARCH
CARDS := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep -x '[0-9]*\.[0-9]' | tr -d .)
CUDA_ARCH := $(or $(sort $(CARDS)),$(filter $(patsubst compute_%,%,$(shell $(NVCC) --list-gpu-arch)),75 80 86 89 90))
endif
NVCCFLAGS := -I. -std=c++17 -O3 -fmad=false -lineinfo --threads 0 -Xcompiler -fPIC,-Wall,-Wextra,-fvisibility=hidden \
             -DGRAMPUS_CUDA $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$a,code=sm_$a) \
             $(foreach a,$(lastword $(CUDA_ARCH)),-gencode arch=compute_$a,code=compute_$a)
CFLAGS += -DGRAMPUS_CUDA
LDLIBS += $(addprefix -L,$(wildcard $(realpath $(dir $(realpath $(NVCC)))../lib64))) -lcudart_static -lrt -ldl -lpthread -lstdc++
endif

# ---- files: every source in a room is built; bench and cli are the program, all other rooms the library ----

ISAS := baseline $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine 2>/dev/null)),avx2 avx512)
ISA_avx2 := -mavx2 -mfma
ISA_avx512 := $(ISA_avx2) -mavx512f -mavx512dq -mavx512vl -mavx512bw
LIBRARY := $(BUILD)/libgrampus.a
SHARED := $(BUILD)/libgrampus.so
PROGRAM := $(BUILD)/grampus
FACE := $(wildcard host/bench/*.c host/cli/*.c)
PTX := gpu/interpreter/primitives.cu gpu/kernels/evaluate.cu# carried as text, for the generator of the interpreter
DEVICE := $(filter-out gpu/interpreter/prebuild.c $(PTX),\
            $(wildcard $(foreach d,gpu gpu/interpreter gpu/kernels,$d/*.c $d/*.cu)))
OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(FACE) host/cpu/evaluate.c,$(wildcard gpu/backend/*.c host/*/*.c))) \
           $(ISAS:%=$(BUILD)/host/cpu/evaluate.%.o) $(if $(WITH_CUDA),$(addprefix $(BUILD)/,$(addsuffix .o,$(basename $(DEVICE)))))
programs = $(addprefix $(BUILD)/,$(basename $(wildcard $(1))))
SAME := $(call programs,tests/differential/*.c)
REPLAYS := $(call programs,tests/fuzz/fuzz_*.c)
CHECKS := $(call programs,$(foreach d,*/* */*/*,tests/unit/$d/test_*.c) tests/property/*.c tests/golden/*.c) $(SAME) $(REPLAYS)
GPU_CHECKS := $(call programs,tests/gpu/*.c tests/gpu/*.cu) $(SAME)
FORMATTED = $(shell find gpu host tests tools -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh')

.PHONY: all demo test check test-gpu check-gpu bench ladder sanitize fuzz fuzzers gpu-tests install format format-check clean setup always
.SECONDARY:
all: $(LIBRARY) $(SHARED) $(PROGRAM)

# ---- what people ask for; `again` reads this file anew, after the set-up ----

again = +@$(MAKE) --no-print-directory -j$(JOBS)
demo test test-gpu bench sanitize: setup
setup:
	@tools/setup
demo:
	$(again) all
	$(PROGRAM) run problems/pospichal-quartic.yaml --runs 100
	$(PROGRAM) run problems/koza-sextic-tree.yaml
test:
	$(again) all check
check: $(PROGRAM) $(CHECKS)
	@GRAMPUS=$(PROGRAM) tests/run.sh $(BUILD) $(CHECKS) $(wildcard tests/house/*.py tests/golden/*.sh tests/e2e/run.sh)
test-gpu:
	@nvidia-smi -L >/dev/null 2>&1 || { echo "make test-gpu: nvidia-smi finds no GPU here" >&2; exit 2; }
	$(again) CUDA=1 all check-gpu
check-gpu: $(PROGRAM) $(GPU_CHECKS)
	@GRAMPUS=$(PROGRAM) tests/run.sh $(BUILD) $(GPU_CHECKS) $(wildcard tests/gpu/*.sh)
bench:
	$(again) all
	$(PROGRAM) bench
ladder: # the strategies of the papers beside ours: $(BUILD)/ladder
	$(again) CUDA=1 $(BUILD)/ladder
sanitize:
	$(again) BUILD=$(BUILD)/sanitize SANITIZE=address,undefined CUDA=0 check
fuzz: # needs clang; then build/fuzz/tests/fuzz/fuzz_NAME -max_total_time=60 CORPUS tests/fuzz/seeds/NAME (NAME=grammar: also grammars)
	$(again) BUILD=$(BUILD)/fuzz SANITIZE=address,undefined,fuzzer-no-link CUDA=0 CC=clang FUZZ=-fsanitize=fuzzer fuzzers
fuzzers: $(REPLAYS)
gpu-tests: $(GPU_CHECKS)
format:
	clang-format -i $(FORMATTED)
format-check:
	clang-format --dry-run -Werror $(FORMATTED)
clean:
	rm -rf $(BUILD)
install: all
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin include lib/pkgconfig)
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/
	install -m 644 host/library/grampus.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(LIBRARY) $(SHARED) $(DESTDIR)$(PREFIX)/lib/
	ln -sf libgrampus.so $(DESTDIR)$(PREFIX)/lib/libgrampus.so.0
	printf '%s\n' 'Name: grampus' 'Description: grammatical evolution and genetic programming on GPU and CPU' \
	    'Version: $(VERSION)' 'Cflags: -I$(PREFIX)/include' 'Libs: -L$(PREFIX)/lib -lgrampus' \
	    'Libs.private: -pthread $(LDLIBS)' > $(DESTDIR)$(PREFIX)/lib/pkgconfig/grampus.pc

# ---- rules ----

Q := $(if $(V),,@)
say = @$(if $(V),:,echo '$(1) $@'); mkdir -p $(@D)

# What the objects depend on besides their sources: compilers and flags; written anew only when they change.
$(BUILD)/config: always
	@mkdir -p $(@D); printf '%s\n' '$(CC) $(CFLAGS) $(LDLIBS)' '$(NVCC) $(NVCCFLAGS)' > $@.new; \
	if cmp -s $@ $@.new; then rm $@.new; else for h in $(HEADERS); do \
	    echo "#include <$$h>" | $(CC) $(CFLAGS) -E -x c - >/dev/null 2>&1 || \
	    { echo "make: no $$h here; tools/setup installs what is missing" >&2; exit 2; }; done; mv $@.new $@; fi
$(BUILD)/%.o: %.c $(BUILD)/config
	$(call say,cc)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/host/cpu/evaluate.%.o: host/cpu/evaluate.c $(BUILD)/config
	$(call say,cc)
	$(Q)$(CC) $(CFLAGS) $(ISA_$*) -DGR_ISA=$* -MMD -MP -c $< -o $@
# Checks and the ladder have the machine to themselves.
$(BUILD)/tests/%.o $(BUILD)/tools/%.o: private CFLAGS += -fopenmp
$(sort $(CHECKS) $(GPU_CHECKS)) $(BUILD)/ladder: private CFLAGS += -fopenmp
# The ladder is for the card at hand: one architecture will do.
$(BUILD)/tools/ladder/%.o: private NVCCFLAGS := $(filter-out -gencode arch=%,$(NVCCFLAGS)) -arch=sm_$(lastword $(CUDA_ARCH))
$(BUILD)/%.o: %.cu $(BUILD)/config
	$(call say,nvcc)
	$(Q)$(NVCC) $(NVCCFLAGS) -MMD -MP -c $< -o $@
# The oldest architecture: the driver compiles it for the one at hand.
$(BUILD)/%.ptx: %.cu $(BUILD)/config Makefile
	$(call say,nvcc)
	$(Q)$(NVCC) $(filter-out -gencode arch=% -lineinfo --threads 0,$(NVCCFLAGS)) -rdc=$(if $(findstring primitives,$@),true,false) \
	    -arch=compute_75 -MMD -MP -MF $(@:.ptx=.d) -ptx $< -o $@
	$(Q)sed -Ei 's/_[0-9a-f]{8}_([0-9]+_[a-z]+_cu)_[0-9a-f]{8}/_00000000_\1_00000000/g' $@ # nvcc's hash of the build
$(BUILD)/gpu/interpreter/embedded.o: $(PTX:%.cu=$(BUILD)/%.ptx)
# The interpreters for all operations, as the generator writes them, for the architectures of the build.
GENERALS := 0 1 2 3 4 5
INTERPRETER := $(BUILD)/gpu/interpreter
$(INTERPRETER)/prebuild: $(addprefix $(INTERPRETER)/,prebuild.o tuner.o interpreter.o module.o primitive_text.o embedded.o)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -lm
$(INTERPRETER)/general_%.fatbin: $(INTERPRETER)/prebuild
	$(call say,nvcc)
	$(Q)$(INTERPRETER)/prebuild $* $(@:.fatbin=.ptx) $(@:.fatbin=.code)
	$(Q)$(NVCC) -fatbin --threads 0 $(foreach a,$(CUDA_ARCH) ,-gencode arch=compute_75,code=sm_$a) \
	    -gencode arch=compute_75,code=compute_75 $(@:.fatbin=.ptx) -o $@
$(INTERPRETER)/general.o: $(GENERALS:%=$(INTERPRETER)/general_%.fatbin)
$(INTERPRETER)/general.o $(INTERPRETER)/embedded.o: private CFLAGS += -DGR_PTX='"$(abspath $(BUILD))/gpu"'
$(LIBRARY): $(OBJECTS)
	$(call say,ar)
	$(Q)rm -f $@; $(AR) qcs $@ $^ # q: files of two rooms may have one name
$(SHARED): $(OBJECTS)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,libgrampus.so.0,--exclude-libs,ALL,--as-needed -o $@ $^ $(LDLIBS)
	@! nm -D --defined-only $@ | grep -v ' grampus_' || { rm $@; echo "make: $@ exports more than grampus_*" >&2; exit 2; }
$(PROGRAM): $(FACE:%.c=$(BUILD)/%.o) $(LIBRARY)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -Wl,--as-needed $(LDLIBS) -ldl
$(BUILD)/ladder: $(addsuffix .o,$(call programs,tools/ladder/*.c tools/ladder/*.cu)) $(BUILD)/host/cli/options.o $(LIBRARY)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -Wl,--as-needed $(LDLIBS)
$(sort $(CHECKS) $(GPU_CHECKS)): %: %.o $(LIBRARY)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) $(FUZZ) -o $@ $(filter %.o,$^) $(LIBRARY) -Wl,--as-needed $(LDLIBS) -lcmocka
# The tests of a room of the program are linked with that room; cli uses bench.
$(filter $(BUILD)/tests/unit/host/bench/%,$(CHECKS)): \
    $(patsubst %.c,$(BUILD)/%.o,$(wildcard host/bench/*.c))
$(filter $(BUILD)/tests/unit/host/cli/%,$(CHECKS)): $(patsubst %.c,$(BUILD)/%.o,$(filter-out host/cli/main.c,$(FACE)))
$(REPLAYS): $(if $(FUZZ),,$(BUILD)/tests/fuzz/replay.o)
$(filter-out $(SAME),$(GPU_CHECKS)): $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/gpu/support/*.c))
$(BUILD)/%.d: ;
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
