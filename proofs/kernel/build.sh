#!/usr/bin/env bash
# Builds the proof, and prints every theorem, what it rests on, and the time. From cold; with --warm only what changed since the last build.
#   0  everything was checked       1  a proof does not build, or an assumption is not allowed       2  Coq or a library is missing
# KERNEL_BUILD: where to build (default .cache/kernel in the project).  JOBS: how many files at once (default 2).
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${KERNEL_BUILD:-$here/../../.cache/kernel}
fail() { echo "kernel: $*" >&2; exit 1; }
missing() {
  echo "kernel: $* is missing. On Debian: apt-get install coq libcoq-flocq libcoq-interval libcoq-coquelicot" >&2
  exit 2
}

command -v coqc >/dev/null 2>&1 && command -v coq_makefile >/dev/null 2>&1 || missing "Coq"
[ "${1-}" = --warm ] || rm -rf "$build"
mkdir -p "$build" && cd "$build" || fail "cannot write to $build"
for library in Flocq.Core.Core Coquelicot.Coquelicot; do
  echo "Require $library." >probe.v
  coqc -q probe.v >probe.log 2>&1 || missing "the library ${library%%.*}"
done
rm -f probe.* .probe.* ./*.out
for file in ./*.v; do [ -e "$here/$file" ] || rm -f "$file" "${file%.v}".vo*; done
for file in "$here"/*.v; do cmp -s "$file" "${file##*/}" || cp "$file" .; done
rm -f Assumptions.vo # it prints: always built

# No proof is left out, and nothing is assumed or switched off. (Print Assumptions, below, would show it too.)
if grep -nwE 'Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Unset|bypass_check' ./*.v; then fail "an unfinished proof or an axiom"; fi
# Every statement of the page has its theorem.
theorems=$(sed -n 's/^Definition \([a-z_0-9]*\)_statement : Prop.*/\1/p' Statement.v)
[ -n "$theorems" ] || fail "Statement.v states nothing"
for name in $theorems; do
  grep -qxF "Check ($name : ${name}_statement)." Assumptions.v || fail "$name is stated, and Assumptions.v does not check it"
done

TIMEFORMAT='%R s (%U s of one processor)'
coq_makefile -Q . Snapping -arg "-w -ambiguous-paths" ./*.v -o Makefile >/dev/null 2>&1 || fail "coq_makefile"
{ time make -j"${JOBS:-2}" >build.log 2>&1; } 2>time.txt || { grep -vE '^(COQC|COQDEP|make)' build.log >&2; fail "a file does not build"; }

grep -vE '^ *(#|$)' "$here/assumptions.txt" >allowed.txt || fail "assumptions.txt allows nothing"
summary=
for name in $theorems; do
  echo "$name:"
  sed -e "s/^${name}_statement = *$//" -e 's/^ *= */       /' -e '/^ *: Prop$/d' -e '/^$/d' -e 's/^       //' -e 's/^/  /' "$name.statement.out"
  out=$name.assumptions.out
  if [ "$(head -n 1 "$out")" = "Axioms:" ]; then grep -oE '^[^ :]+' "$out" | grep -vx Axioms >used.txt
  elif [ "$(cat "$out")" = "Closed under the global context" ]; then : >used.txt
  else fail "cannot read what $name rests on"; fi
  sed 's/^/  rests on /' used.txt
  echo
  if grep -vxFf allowed.txt used.txt >extra.txt; then fail "$name rests on $(tr '\n' ' ' <extra.txt)which assumptions.txt does not allow"; fi
  summary+="theorem $name: assumptions $(wc -l <used.txt), all allowed"$'\n'
done
printf '%s' "$summary"
echo "$(cat ./*.v | wc -l) lines, checked by $(coqc --version | head -n 1) in $(tail -n 1 time.txt)"
