#!/bin/sh
# Progress of a run: figures from the first line on, JSON, and the screen of --watch.
. "$(dirname "$0")/lib"
cases=4000
[ -z "$SANITIZE" ] || cases=200 # slower by twenty times
SLOW="--population 2000 --train-cases $cases --generations 40 --epoch 1000 --threads 1"

# shellcheck disable=SC2086
grampus run small.yaml $SLOW --progress 0.05
check "lines: while the first epoch goes on" [ "$(grep -c '^generation' err)" -ge 2 ]
check "lines: the first one has figures" sh -c "grep -m 1 '^generation' err | grep 'best [0-9].*valid .*size .* GPop/s' | grep -vq ' 0 GPop/s'"
# shellcheck disable=SC2086
grampus run small.yaml $SLOW --progress json
check "json: exit code" [ "$code" -eq 0 ]
grampus run small.yaml --progress=json --output quick
check "json: a short run has one line" one_line err
cp err quick.json
check_json "json: members" quick.json "v['generation'] == v['generations'] == 12 and v['best'] >= 0 and v['valid'] == 1 \
    and v['gpops'] > 0 and v['runs'] == 1 and v['test'] is not None"
best=$(echo quick/small/*/best.json)
check_json "json: best is the run's" "$best" "abs(v['fitness'] - $(sed 's/.*"best":\([^,]*\).*/\1/' quick.json)) < 1e-6"
rejects "watch: no terminal" 2 "no terminal" run small.yaml --watch

cat >pseudo.py <<'END'
import os, pty, struct, fcntl, termios, sys
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
    os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(os.environ["ROWS"]), int(os.environ.get("COLUMNS", 90)), 0, 0))
seen = b""
try:
    while chunk := os.read(terminal, 65536):
        seen += chunk
except OSError:
    pass
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
if python3 -c 'import sys, pty; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    for rows in 30 12 2; do
        # shellcheck disable=SC2086
        ROWS=$rows timeout 60 python3 pseudo.py "$GRAMPUS" run small.yaml $SLOW --watch --output watched >screen 2>err
        check "watch, $rows rows: exit code" [ $? -eq 0 ]
        check "watch, $rows rows: the report follows" grep -q '^results  ' screen
        [ $rows -lt 30 ] || check "watch: figures" grep -q 'GPop/s' screen
        [ $rows -lt 30 ] || check "watch: a plot" grep -q 'best rmse' screen
        check "watch, $rows rows: the terminal is given back" grep -q "$(printf '\033\[?1049l')" screen
    done
    printf "base: small.yaml\nruns: 200\npopulation: 1000\ntarget-fitness: none\ngrid:\n  tournament: [2, 3]\n" >narrow.yaml
    ROWS=24 COLUMNS=20 timeout 60 python3 pseudo.py "$GRAMPUS" experiment narrow.yaml --jobs 1 >screen 2>err
    check "an experiment on a narrow terminal: exit code" [ $? -eq 0 ]
    check "no line of it wraps" python3 - screen <<'END'
import re, sys
lines = re.findall(r"\r(cells [^\r\x1b]*)", open(sys.argv[1], newline="", encoding="utf-8").read())
assert lines and max(map(len, lines)) == 19, lines[:3]
END
else
    skip "watch" "no python3 with pty"
fi
exit $FAILED
