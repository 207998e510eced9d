# Grampus. `make demo` shows it, `make test` proves it; both install what is missing first (tools/setup).
# `make help` prints the goals (lines with `##`) and these variables:
#
#   CUDA=auto|0|1      with the GPU if there is nvcc | without | or fail
#   MPI=auto|0|1       with MPI if there is mpicc, for runs that mpirun starts | without | or fail
#   CUDA_ARCH="80 90"  compute capabilities; default: the card in this machine, without one 80, whose code runs
#                      on 86 and 89 too; the drivers of later cards compile it, once
#   QUICK_DEVICE=1     device code that is slow, for the first of CUDA_ARCH where one text is for all, and compiled in less
#                      than a quarter of the time, for machines that only compile it
#   PROFILE=1          source lines in device code, for a profiler (three times its size)
#   MORE_CFLAGS=       flags of the C compiler behind ours, on some of which results depend: no CFLAGS
#   BUILD=build  PREFIX=/usr/local  DESTDIR=  CC=gcc  JOBS=number of processors  V=1 (shows the commands)

BUILD := build
PREFIX := /usr/local
CUDA := auto
MPI := auto
JOBS := $(shell nproc 2>/dev/null || echo 2)
VERSION := $(shell sed -n 's/.*GRAMPUS_VERSION "\(.*\)"/\1/p' host/library/grampus.h)

# What is mistyped is not guessed at: make takes a path with a blank for two, and clean would remove both.
no_blanks = $(if $(filter 1,$(words $($1))),,$(error $1 is "$($1)"; expected one path without blanks))
$(foreach v,BUILD PREFIX,$(call no_blanks,$v))
override PREFIX := $(abspath $(PREFIX))# which the pkg-config file has
$(call no_blanks,PREFIX)# of this folder
$(if $(filter 0 1,$(words $(DESTDIR))),,$(error DESTDIR is "$(DESTDIR)"; expected one path without blanks))
$(foreach v,CUDA MPI,$(if $(filter auto 0 1,$($v)),,$(error $v is "$($v)"; expected auto, 0 or 1)))
ifeq ($(origin CFLAGS),command line)
$(error CFLAGS would take the place of flags that results depend on; expected MORE_CFLAGS="$(CFLAGS)")
endif

# ---- compilers and libraries ----

PACKAGES := libcyaml yaml-0.1 libcjson zlib
HEADERS := cyaml/cyaml.h yaml.h cJSON.h zlib.h hdf5.h Random123/philox.h sqlite3.h gsl/gsl_cdf.h ncurses.h
CFLAGS := -I. -std=gnu11 -O3 -g1 -Wall -Wextra -Wconversion -Wshadow -Werror -ffp-contract=off -fno-math-errno \
          -fno-trapping-math -pthread -fPIC -fvisibility=hidden \
          $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null || echo -I/usr/include/cjson)
LDLIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null || echo -lcyaml -lyaml -lcjson -lz) -lm -ldl
# Of the program alone: GSL is under the GPL, the library is not.
PROGRAM_LDLIBS := $(shell pkg-config --libs sqlite3 gsl ncursesw 2>/dev/null || echo -lsqlite3 -lgsl -lgslcblas -lncursesw)
# HDF5 is loaded when it is needed (host/checkpoint/hdf5.h), by the name of the library that its header belongs to.
CFLAGS += $(shell pkg-config --cflags-only-I hdf5 2>/dev/null || echo -I/usr/include/hdf5/serial)
HDF5 := $(shell objdump -p "$$(pkg-config --variable=libdir hdf5 2>/dev/null)/libhdf5.so" 2>/dev/null | sed -n 's/^ *SONAME *//p')
CFLAGS += $(if $(HDF5),-DGR_HDF5_LIBRARY='"$(HDF5)"')
CFLAGS += -DR123_USE_SSE=0# whose header is five times as long as all of ours, and of which Philox takes nothing
CFLAGS += -DGR_VERSION='"$(VERSION)"'# what a run writes down
ifneq ($(filter clang%,$(notdir $(firstword $(CC)))),)
CFLAGS += -Wno-error# it warns of other things, version by version
endif
ifdef GUARDS
CFLAGS += -DGR_GUARDS=$(GUARDS)# words around every array of a run, looked at after every epoch (gpu/backend/arena.h)
endif
ifdef SANITIZE
# Warnings stay errors where it is a build without CUDA that CI has no other of; the sanitizers bring about some of one kind.
CFLAGS += -Og $(if $(filter clang,$(CC)),,-Wno-error=maybe-uninitialized) -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer \
          -DGR_ONE_ISA
# What reads by a pointer that ran over ends there anyway (clang, for fuzzing, looks at such pointers, too); a call for
# every fmaf, which is the same number, took a third of the time.
CFLAGS += $(if $(findstring undefined,$(SANITIZE)),$(if $(filter clang,$(CC)),,-fno-sanitize=pointer-overflow))
CFLAGS += $(if $(shell grep -m1 -w fma /proc/cpuinfo 2>/dev/null),-mfma)
endif

comma := ,
space := $() $()

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
CUDA_ARCH := $(or $(sort $(CARDS)),$(filter $(patsubst compute_%,%,$(shell $(NVCC) --list-gpu-arch)),80))
endif
# Code for 7.5 by itself, for all others from one text: nothing asks for more than 8.0 has.
code_for = $(if $1,-gencode arch=compute_$(firstword $1)$(comma)code=[$(subst $(space),,$(1:%=sm_%$(comma)))compute_$(firstword $1)])
some = $(if $(QUICK_DEVICE),$(firstword $1),$1)# what the assembler takes for one, it takes for later ones
ARCHITECTURES := $(call code_for,$(call some,$(filter 7%,$(CUDA_ARCH)))) $(call code_for,$(call some,$(sort $(filter-out 7%,$(CUDA_ARCH)))))
NVCCFLAGS := -I. -std=c++17 -O3 -fmad=false $(if $(PROFILE),-lineinfo) --threads 0 -Xcompiler -fPIC,-Wall,-Wextra,-fvisibility=hidden \
             -DGRAMPUS_CUDA $(ARCHITECTURES)
# From CUDA 12.9 on; all else that nvcc says stays the same.
FAST := $(if $(QUICK_DEVICE),$(if $(shell $(NVCC) --help | grep -- --Ofast-compile),--Ofast-compile max))
NVCCFLAGS += $(FAST)
# NCCL's header, where it is: the library is loaded when a run has islands on several GPUs.
NCCL := $(firstword $(wildcard $(addsuffix /include/nccl.h,$(NCCL_HOME) $(realpath $(dir $(realpath $(NVCC)))..)) /usr/include/nccl.h) \
                    $(wildcard /usr/lib/python3*/site-packages/nvidia/nccl/include/nccl.h /usr/local/lib/python3*/*-packages/nvidia/nccl/include/nccl.h))
NVCCFLAGS += $(if $(NCCL),-DGRAMPUS_NCCL -I$(dir $(NCCL)))
CFLAGS += -DGRAMPUS_CUDA
LDLIBS += $(addprefix -L,$(wildcard $(realpath $(dir $(realpath $(NVCC)))../lib64))) -lcudart_static -lrt -ldl -lpthread -lstdc++
endif
CFLAGS += $(MORE_CFLAGS)

# ---- files: every source in a room is built; experiment, report, bench and cli are the program, all other rooms the library ----

# The sanitizers look at code, which all of these share, lane by lane: one is enough for them.
ISAS := baseline $(if $(SANITIZE),,$(if $(filter x86_64-%,$(shell $(CC) -dumpmachine 2>/dev/null)),avx2 avx512))
ISA_avx2 := -mavx2 -mfma
ISA_avx512 := $(ISA_avx2) -mavx512f -mavx512dq -mavx512vl -mavx512bw
VECTORISED := host/cpu/evaluate.c host/cpu/evaluate_double.c host/cpu/derive.c# compiled once for each of them
LIBRARY := $(BUILD)/libgrampus.a
SHARED := $(BUILD)/libgrampus.so
PROGRAM := $(BUILD)/grampus
PLUGIN := $(BUILD)/grampus-mpi.so# where there is MPI: host/mpi
PROGRAM_SOURCES := $(wildcard host/inference/*.c host/experiment/*.c host/report/*.c host/bench/*.c host/cli/*.c)
PTX := gpu/interpreter/primitives.cu gpu/kernels/evaluate.cu# carried as text, for the generator of the interpreter
MPICC := $(if $(filter 0,$(MPI)),,$(shell command -v mpicc 2>/dev/null))
ifeq ($(MPI)$(MPICC),1)
$(error MPI=1, but there is no mpicc on PATH)
endif
CUBIN := gpu/kernels/direct_double.cu# carried as machine code for 9.0, where the build is for that
DEVICE := $(filter-out gpu/interpreter/prebuild.c $(PTX) $(CUBIN),\
            $(wildcard $(foreach d,gpu gpu/interpreter gpu/kernels,$d/*.c $d/*.cu)))
OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(PROGRAM_SOURCES) $(VECTORISED) host/mpi/%,$(wildcard gpu/backend/*.c host/*/*.c))) \
           $(foreach f,$(VECTORISED:.c=),$(ISAS:%=$(BUILD)/$f.%.o)) $(if $(WITH_CUDA),$(addprefix $(BUILD)/,$(addsuffix .o,$(basename $(DEVICE)))))
programs = $(addprefix $(BUILD)/,$(basename $(wildcard $(1))))
DIFFERENTIAL_TESTS := $(call programs,tests/differential/*.c)
FUZZ_TESTS := $(call programs,tests/fuzz/fuzz_*.c)
TESTS := $(call programs,$(foreach d,*/* */*/*,tests/unit/$d/test_*.c) tests/property/*.c tests/golden/*.c) $(DIFFERENTIAL_TESTS) $(FUZZ_TESTS)
GPU_TESTS := $(call programs,tests/gpu/*.c tests/gpu/*.cu) $(DIFFERENTIAL_TESTS)
FORMATTED = $(shell find gpu host tests tools -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh')

SCRIPTS := $(wildcard tests/house/*.py tests/house/*.sh tests/golden/*.sh tests/e2e/*.sh tests/e2e/*.py)
# Under the sanitizers only what runs the program, and neither compares times, reads pages nor preloads a library.
SANITIZED_SCRIPTS := $(filter-out tests/house/% tests/e2e/readme.sh tests/e2e/threads.sh tests/e2e/faults.sh tests/e2e/growth.py,$(SCRIPTS))
FAULTS := $(BUILD)/tests/faults/shim.so# calls of the system that fail
GPU_FAULTS := $(BUILD)/tests/gpu/faults/grampus# the program, with calls of CUDA that fail or are counted
FILL_CARD := $(BUILD)/tests/gpu/card/fill_card# takes the memory of a card

# ---- goals ----

# These call make again, which reads this file anew after the set-up. Two makes would write the same files: each goal
# of one call waits for the others that stand before it here, or that need no second make.
CALL_MAKE := ladder ladder-levels ladder-ranks demo test test-python measure-python test-gpu bench sanitize sanitize-program sanitize-threads fuzz mutants prove prove-gpu
WAIT_FOR := $(filter-out $(CALL_MAKE),$(MAKECMDGOALS))
$(foreach g,$(filter $(MAKECMDGOALS),$(CALL_MAKE)),$(eval $g: | $(WAIT_FOR))$(eval WAIT_FOR += $g))
submake = +@$(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))
runtests = @GRAMPUS=$(PROGRAM) SANITIZE=$(SANITIZE) JOBS=$(JOBS) tests/run.sh $(BUILD)

.PHONY: all help demo test check test-python measure-python test-gpu check-gpu bench ladder ladder-levels ladder-ranks sanitize sanitize-program sanitize-threads check-threads fuzz fuzz-tests gpu-tests mutants prove prove-gpu \
        install uninstall format format-check clean setup always
.SECONDARY:
all: $(LIBRARY) $(SHARED) $(PROGRAM) $(if $(MPICC),$(PLUGIN)) ## the program and the library, in BUILD; what make does without a goal
help: ## this list
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 } /^#   / { sub(/^# /, ""); \
	    variables = variables "\n" $$0 } END { print variables }' Makefile
demo test test-python measure-python test-gpu bench sanitize prove prove-gpu: setup
setup: ## installs what building, testing and drawing need (Debian and Ubuntu; elsewhere it names the packages)
	@tools/setup $(if $(filter prove,$(MAKECMDGOALS)),prove,$(if $(filter %-python,$(MAKECMDGOALS)),test-python))
demo: ## builds, then evolves two problems
	$(submake) all
	$(PROGRAM) run problems/pospichal-quartic.yaml --runs 100
	$(PROGRAM) run problems/koza-sextic-tree.yaml
test: ## builds, then runs every test that needs no GPU, JOBS side by side
	$(submake) all check
# What takes long begins first, so that the processors end together.
check: $(PROGRAM) $(if $(MPICC),$(PLUGIN)) $(TESTS) $(FAULTS) $(BUILD)/ladder-ranks ## the tests alone, without the set-up
	$(runtests) $(DIFFERENTIAL_TESTS) $(if $(SANITIZE),$(SANITIZED_SCRIPTS),$(SCRIPTS)) $(filter-out $(DIFFERENTIAL_TESTS),$(TESTS))
test-python: ## builds, then runs the tests of the Python package, ARGS to pytest; needs pip and a network once
	$(submake) all
	@BUILD=$(BUILD) tools/python/test $(ARGS)
measure-python: ## what the Python package costs over the library: import, fit, predict, memory of 10 000 fits
	$(submake) all
	@BUILD=$(BUILD) tools/python/test measure $(ARGS)
test-gpu: ## builds with CUDA, then runs the tests on the GPU
	@nvidia-smi -L >/dev/null 2>&1 || { echo "make test-gpu: nvidia-smi finds no GPU here" >&2; exit 2; }
	$(submake) CUDA=1 all check-gpu
# Those of the library that run on either device.
ARRAY_TESTS := $(addprefix $(BUILD)/tests/unit/host/library/test_,arrays doubles populations)
check-gpu: override JOBS := 1# they share a GPU
check-gpu: $(PROGRAM) $(GPU_TESTS) $(GPU_FAULTS) $(ARRAY_TESTS) $(BUILD)/tests/property/export
	$(runtests) $(GPU_TESTS) $(wildcard tests/gpu/*.sh)
gpu-tests: $(GPU_TESTS) $(GPU_FAULTS) $(FILL_CARD) ## builds the tests that need a GPU, without running them
bench: ## builds, then measures this machine
	$(submake) all
	$(PROGRAM) bench
ladder-levels: ## the stack that programs of the papers' problems take, without a GPU: BUILD/ladder-levels
	$(submake) $(BUILD)/ladder-levels
ladder-ranks: ## tests between the strategies of a grid: BUILD/ladder-ranks
	$(submake) $(BUILD)/ladder-ranks
ladder: ## the evaluation strategies of the papers beside ours: BUILD/ladder; needs CUDA
	$(submake) CUDA=1 $(BUILD)/ladder
sanitize: ## the tests under address and undefined-behaviour sanitizers, in BUILD/sanitize
	$(submake) BUILD=$(BUILD)/sanitize SANITIZE=address,undefined CUDA=0 check
sanitize-program: ## the program for those tests alone
	$(submake) BUILD=$(BUILD)/sanitize SANITIZE=address,undefined CUDA=0 $(BUILD)/sanitize/grampus
sanitize-threads: ## the library's tests under ThreadSanitizer, in BUILD/tsan
	$(submake) BUILD=$(BUILD)/tsan SANITIZE=thread CUDA=0 check-threads
THREAD_TESTS := $(addprefix $(BUILD)/tests/unit/host/library/test_,threads arrays populations)
check-threads: $(THREAD_TESTS) ## those tests alone
	@for test in $^; do TSAN_OPTIONS=halt_on_error=1 $$test || exit 1; done
fuzz: ## fuzz targets, by clang; then BUILD/fuzz/tests/fuzz/fuzz_NAME -max_total_time=60 CORPUS tests/fuzz/seeds/NAME
	$(submake) BUILD=$(BUILD)/fuzz SANITIZE=address,undefined,fuzzer-no-link CUDA=0 CC=clang FUZZ=-fsanitize=fuzzer fuzz-tests
fuzz-tests: $(FUZZ_TESTS)
MUTANTS := 200
mutants: ## faults put into the code one at a time, MUTANTS=200 of them: which ones no test finds (hours)
	$(submake) CUDA=0 all
	tools/mutants/mutants.py --build $(BUILD)/mutants --count $(MUTANTS) --jobs $(JOBS)
prove: ## the long proofs without a GPU, and a table of them, BUILD/proof.md (hours; PROVE=--quick: minutes; PROVE='--scale 0.1': a tenth)
	$(submake) CUDA=0 all $(FAULTS)
	tests/prove.py $(BUILD) $(PROVE)
prove-gpu: ## those on the GPU, BUILD/proof-gpu.md
	@nvidia-smi -L >/dev/null 2>&1 || { echo "make prove-gpu: nvidia-smi finds no GPU here, nothing is proved" >&2; exit 2; }
	$(submake) CUDA=1 all $(GPU_FAULTS) $(FILL_CARD)
	tests/prove.py $(BUILD) --gpu $(PROVE)
install: all ## program, header, library and pkg-config file, to DESTDIR/PREFIX
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin include lib/pkgconfig)
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/
	$(if $(MPICC),install -D -m 755 $(PLUGIN) $(DESTDIR)$(PREFIX)/lib/grampus/grampus-mpi.so)
	install -m 644 host/library/grampus.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(LIBRARY) $(SHARED) $(DESTDIR)$(PREFIX)/lib/
	ln -sf libgrampus.so $(DESTDIR)$(PREFIX)/lib/libgrampus.so.0
	printf '%s\n' 'Name: grampus' 'Description: grammatical evolution and genetic programming on GPU and CPU' \
	    'Version: $(VERSION)' 'Cflags: -I$(PREFIX)/include' 'Libs: -L$(PREFIX)/lib -lgrampus' \
	    'Libs.private: -pthread $(LDLIBS)' > $(DESTDIR)$(PREFIX)/lib/pkgconfig/grampus.pc
uninstall: ## what install put there; PREFIX and DESTDIR as there
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/grampus lib/grampus/grampus-mpi.so include/grampus.h lib/libgrampus.a \
	    lib/libgrampus.so lib/libgrampus.so.0 lib/pkgconfig/grampus.pc)
	[ ! -d $(DESTDIR)$(PREFIX)/lib/grampus ] || rmdir $(DESTDIR)$(PREFIX)/lib/grampus
format: ## clang-format over all sources
	clang-format -i $(FORMATTED)
format-check: ## fails where clang-format would change something
	clang-format --dry-run -Werror $(FORMATTED)
clean: ## removes BUILD
	rm -rf $(BUILD)

# ---- rules ----

Q := $(if $(V),,@)
say = @$(if $(V),:,echo '$(1) $@'); mkdir -p $(@D)

# What the objects depend on besides their sources: compilers and flags; written anew only when they change, so that who
# may read BUILD alone can install from it.
$(BUILD)/config: always
	@config() { printf '%s\n' '$(CC) $(CFLAGS) $(PROGRAM_LDLIBS) $(LDLIBS)' '$(NVCC) $(NVCCFLAGS)'; }; \
	if ! config | cmp -s - $@; then mkdir -p $(@D); \
	command -v $(firstword $(CC)) >/dev/null || { echo "make: no compiler $(firstword $(CC)) here; tools/setup installs gcc" >&2; exit 2; }; \
	for h in $(HEADERS); do \
	    echo "#include <$$h>" | $(CC) $(CFLAGS) -E -x c - >/dev/null 2>&1 || \
	    { echo "make: no $$h here; tools/setup installs what is missing" >&2; exit 2; }; done; config > $@.new && mv $@.new $@; fi
$(BUILD)/%.o: %.c $(BUILD)/config
	$(call say,cc)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c $< -o $@
define vectorised
$(BUILD)/$1.%.o: $1.c $(BUILD)/config
	$$(call say,cc)
	$$(Q)$$(CC) $$(CFLAGS) $$(ISA_$$*) -DGR_ISA=$$* -MMD -MP -c $$< -o $$@
endef
$(foreach f,$(VECTORISED:.c=),$(eval $(call vectorised,$f)))
ifdef SANITIZE
$(foreach f,$(VECTORISED:.c=),$(ISAS:%=$(BUILD)/$f.%.o)): private CFLAGS += -O2# nearly all of the tests' time
endif
# Unit tests are compiled quickly: that takes longer than they do. What they call in the library is optimised.
$(BUILD)/tests/unit/%.o $(BUILD)/tests/property/warp_%.o: private CFLAGS += -Og
# Checks and the ladder have the machine to themselves.
$(BUILD)/tests/%.o $(BUILD)/tools/%.o: private CFLAGS += -fopenmp
$(sort $(TESTS) $(GPU_TESTS)) $(BUILD)/ladder $(BUILD)/ladder-levels: private CFLAGS += -fopenmp
# The ladder is for the card at hand: one architecture will do.
$(BUILD)/tools/ladder/%.o: private NVCCFLAGS := $(filter-out -gencode arch=%,$(NVCCFLAGS)) -arch=sm_$(lastword $(CUDA_ARCH))
$(BUILD)/%.o: %.cu $(BUILD)/config
	$(call say,nvcc)
	$(Q)$(NVCC) $(NVCCFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/gpu/find_device.o: private NVCCFLAGS += -DGR_ARCHITECTURES='"$(sort $(CUDA_ARCH))"'
# It has instructions that are not in the text for older cards.
$(BUILD)/gpu/kernels/evolve_few_trees.o: private NVCCFLAGS := $(filter-out -gencode arch=%,$(NVCCFLAGS)) \
    $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$a$(comma)code=[sm_$a$(comma)compute_$a])
# The oldest architecture: the driver compiles it for the one at hand.
$(BUILD)/%.ptx: %.cu $(BUILD)/config Makefile
	$(call say,nvcc)
	$(Q)$(NVCC) $(filter-out -gencode arch=% -lineinfo --threads 0 $(FAST),$(NVCCFLAGS)) -rdc=$(if $(findstring primitives,$@),true,false) \
	    -arch=compute_75 -MMD -MP -MF $(@:.ptx=.d) -ptx $< -o $@
	$(Q)sed -Ei 's/_[0-9a-f]{8}_([0-9]+_[a-z]+_cu)_[0-9a-f]{8}/_00000000_\1_00000000/g' $@ # nvcc's hash of the build
$(BUILD)/gpu/interpreter/embedded.o: $(PTX:%.cu=$(BUILD)/%.ptx)
# The interpreters for all operations, as the generator writes them, for the architectures of the build. Quickly is -O1
# here, two thirds of the time of --Ofast-compile.
GENERAL_INTERPRETERS := 0 1 2 3 4 5 6 7 8 9
INTERPRETER := $(BUILD)/gpu/interpreter
$(INTERPRETER)/prebuild: $(addprefix $(INTERPRETER)/,prebuild.o tuner.o interpreter.o heavy.o module.o primitive_text.o embedded.o) \
    $(BUILD)/gpu/backend/operations.o
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -lm
$(INTERPRETER)/general_%.fatbin: $(INTERPRETER)/prebuild
	$(call say,nvcc)
	$(Q)$(INTERPRETER)/prebuild $* $(@:.fatbin=.ptx) $(@:.fatbin=.code)
	$(Q)$(NVCC) -fatbin --threads 0 $(if $(QUICK_DEVICE),-Xptxas -O1) $(foreach a,$(call some,$(sort $(CUDA_ARCH))),-gencode arch=compute_75,code=sm_$a) \
	    -gencode arch=compute_75,code=compute_75 $(@:.fatbin=.ptx) -o $@
$(BUILD)/%.cubin: %.cu $(BUILD)/config Makefile
	$(call say,nvcc)
	$(Q)$(if $(filter 90,$(CUDA_ARCH)),$(NVCC) $(filter-out -gencode arch=% --threads 0 $(FAST),$(NVCCFLAGS)) \
	    -arch=sm_90 -MMD -MP -MF $(@:.cubin=.d) -cubin $< -o $@,: >$@)
$(INTERPRETER)/general.o: $(GENERAL_INTERPRETERS:%=$(INTERPRETER)/general_%.fatbin) $(CUBIN:%.cu=$(BUILD)/%.cubin)
$(INTERPRETER)/general.o $(INTERPRETER)/embedded.o: private CFLAGS += -DGR_PTX='"$(abspath $(BUILD))/gpu"'
# Processes of one run must have been built from the same of these (host/spread/processes.c).
ENGINES := $(sort $(shell find gpu host/cpu host/spread -type f ! -name '*.md'))
$(BUILD)/host/spread/processes.o: $(ENGINES)
$(BUILD)/host/spread/processes.o: private CFLAGS += -DGR_SOURCES='"$(shell cat $(ENGINES) | cksum | tr ' ' -)$(if $(GUARDS),-guarded)"'
# Run files that the program carries.
$(BUILD)/host/bench/wall.o: problems/nguyen-1.yaml problems/pospichal-quartic.yaml grammars/nguyen.bnf grammars/quartic-prefix.bnf
$(BUILD)/host/experiment/schema.o: host/experiment/schema.sql
$(LIBRARY): $(OBJECTS)
	$(call say,ar)
	$(Q)rm -f $@; $(AR) qcs $@ $^ # q: files of two rooms may have one name
$(SHARED): $(OBJECTS)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,libgrampus.so.0,--exclude-libs,ALL,--as-needed -o $@ $^ $(LDLIBS)
	@! nm -D --defined-only $@ | grep -v ' grampus_' || { rm $@; echo "make: $@ exports more than grampus_*" >&2; exit 2; }
$(PROGRAM): $(PROGRAM_SOURCES:%.c=$(BUILD)/%.o) $(LIBRARY)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -Wl,--as-needed $(PROGRAM_LDLIBS) $(LDLIBS)
$(PLUGIN): host/mpi/transport.c host/spread/transport.h gpu/backend/peers.h $(BUILD)/config
	$(call say,mpicc)
	$(Q)$(MPICC) -I. -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared -o $@ $<
$(BUILD)/ladder: $(addsuffix .o,$(call programs,tools/ladder/*.c tools/ladder/grid/*.c tools/ladder/*.cu)) \
    $(addprefix $(BUILD)/host/,cli/options.o bench/energy.o) $(LIBRARY)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -Wl,--as-needed $(LDLIBS)
LEVELS := $(addprefix $(BUILD)/tools/ladder/,levels/main.o population.o problem.o report.o)
$(BUILD)/ladder-levels: $(LEVELS) $(BUILD)/host/cli/options.o $(LIBRARY)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -Wl,--as-needed $(LDLIBS)
$(BUILD)/ladder-ranks: $(addprefix $(BUILD)/,tools/ladder/ranks/main.o host/inference/inference.o)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -Wl,--as-needed $(PROGRAM_LDLIBS) $(LDLIBS)
# Hundreds of links: by gold, where there is one, in half the time; of the sanitizers tried with these only, and not
# tried with what a GPU runs.
GOLD := $(if $(filter-out address$(comma)undefined,$(SANITIZE)),,$(if $(shell command -v ld.gold 2>/dev/null),-fuse-ld=gold))
ON_GPU := $(if $(WITH_CUDA),$(GPU_TESTS) $(ARRAY_TESTS) $(BUILD)/tests/property/export)
$(sort $(TESTS) $(GPU_TESTS)): %: %.o $(LIBRARY)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) $(FUZZ) $(if $(filter $@,$(ON_GPU)),,$(GOLD)) -o $@ $(filter %.o,$^) $(LIBRARY) -Wl,--as-needed $(PROGRAM_LDLIBS) $(LDLIBS) -lcmocka
# The tests of a room of the program are linked with that room; cli uses the others.
$(filter $(BUILD)/tests/unit/host/inference/% $(BUILD)/tests/unit/host/experiment/% $(BUILD)/tests/fuzz/fuzz_experiment,$(TESTS)): \
    $(patsubst %.c,$(BUILD)/%.o,$(wildcard host/inference/*.c host/experiment/*.c))
$(filter $(BUILD)/tests/unit/host/bench/%,$(TESTS)): \
    $(patsubst %.c,$(BUILD)/%.o,$(wildcard host/bench/*.c))
$(filter $(BUILD)/tests/unit/host/cli/%,$(TESTS)): \
    $(patsubst %.c,$(BUILD)/%.o,$(filter-out host/cli/main.c,$(PROGRAM_SOURCES)))
# What is chosen for a device is host code, which a build without CUDA has for its tests alone.
ifeq ($(WITH_CUDA),)
$(filter %/test_tuner,$(TESTS)): $(BUILD)/gpu/interpreter/tuner.o
$(filter %/test_direct_jumps,$(TESTS)): $(BUILD)/gpu/interpreter/direct_jumps.o
endif
# Tests that count what the library takes (tests/counted.h).
COUNTED := $(addprefix $(BUILD)/tests/unit/host/,cpu/test_memory_plan problem/test_loaded run/test_results_memory)
$(COUNTED): private LDLIBS += $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc free mmap munmap)
$(BUILD)/tests/unit/host/cpu/test_large: private LDLIBS += $(patsubst %,-Wl$(comma)--wrap=%,mmap gr_memory_available)
$(BUILD)/tests/unit/host/experiment/test_conduct: private LDLIBS += -Wl,--wrap=clock_gettime
$(BUILD)/tests/unit/host/bench/test_selftest: private LDLIBS += -Wl,--wrap=gr_cpu_best_interpreter
$(FAULTS): tests/faults/shim.c $(BUILD)/config
	$(call say,cc)
	$(Q)$(CC) $(CFLAGS) -fvisibility=default -shared -o $@ $< -ldl
WRAPPED := Malloc HostAlloc Free FreeHost Memcpy MemcpyAsync Memcpy2DAsync Memset LaunchKernel LaunchKernelExC LaunchCooperativeKernel GraphLaunch \
           StreamQuery StreamSynchronize DeviceSynchronize EventSynchronize
$(GPU_FAULTS): $(PROGRAM_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/tests/gpu/faults/cuda_calls.o $(LIBRARY)
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(WRAPPED:%=-Wl,--wrap=cuda%) -Wl,--as-needed $(PROGRAM_LDLIBS) $(LDLIBS)
$(FILL_CARD): $(BUILD)/tests/gpu/card/fill_card.o
	$(call say,ld)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(FUZZ_TESTS): $(if $(FUZZ),,$(BUILD)/tests/fuzz/replay.o)
$(filter-out $(DIFFERENTIAL_TESTS),$(GPU_TESTS)): $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/gpu/support/*.c))
$(BUILD)/%.d: ;
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
