#!/bin/sh
# Runs a command beside busy loops, which end when it does: tests/busy.sh LOOPS COMMAND…
loops=$1
shift
while [ "$loops" -gt 0 ]; do
    while kill -0 $$; do :; done 2>/dev/null &
    loops=$((loops - 1))
done
"$@"
