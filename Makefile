# The front: what a person types. Meson and Ninja do the work; docs/decisions/0001-meson-behind-make.md says why.
#
# SETUP=true skips the installation of packages (for systems where they come from elsewhere).

SETUP ?= scripts/setup
# passes of scripts/check
CHECK ?= tests
SECONDS ?= 600
PREFIX ?= /usr/local
DESTDIR ?=
# Meson would ask dpkg-architecture, which a small Debian lacks, and then take lib64
LIBDIR ?= $(addprefix lib/,$(shell cc -print-multiarch 2>/dev/null))

.PHONY: all demo check check-full bench fuzz install clean help
.NOTPARALLEL:

# the program alone, with what it needs alone; scripts/check adds the tests to the same folder
all:
	@$(SETUP) build
	@[ -f build/build.ninja ] || meson setup build -Dtests=false
	@ninja -C build

demo: all
	@examples/demo/run build/slackwater
	@examples/fund-positions/run build/slackwater

check:
	@$(SETUP) test
	@SETUP='$(SETUP)' scripts/check $(CHECK)

check-full: CHECK = full
check-full: check

bench: all
	@$(SETUP) bench
	@bench/run.py $(BENCH)
	@bench/debezium.py $(BENCH_DEBEZIUM)
	@bench/databases.py $(BENCH_DATABASES) || [ $$? = 4 ]
	@bench/blind_spots.py || [ $$? = 4 ]
	@scripts/fetch-adbc || true
	@bench/parquet.py $(BENCH_PARQUET) || [ $$? = 4 ]

fuzz:
	@$(SETUP) fuzz
	@scripts/fuzz --seconds $(SECONDS) $(FUZZ)

install: all
	@meson configure build -Dprefix='$(PREFIX)' $(addprefix -Dlibdir=,$(LIBDIR))
	@DESTDIR='$(DESTDIR)' meson install -C build

clean:
	rm -rf build build-*

help:
	@echo 'make                      release build: build/slackwater'
	@echo 'make demo                 two incidents: rows that differ; and one from raw events to the page for the next shift'
	@echo 'make check                all tests; the last line says how many passed and failed'
	@echo 'make check-full           the same, and sanitizers, fault injection, clang, no optional libraries'
	@echo 'make bench                against DuckDB, Reladiff and pt-table-sync, as ratios (KEYS=5000000 RUNS=5 SHAPE=… FORM=… EVENTS=… ROWS=…)'
	@echo 'make fuzz SECONDS=600     every fuzz target that long, two at a time'
	@echo 'make install              PREFIX=/usr/local DESTDIR= LIBDIR='
	@echo 'make clean                removes build/ and every build-*/, bench inputs included'
