#!/usr/bin/env bash
# Train everything on a GPU machine: teacher and embedder side by side, then two students, then
# choose. Each finished stage leaves a file `STAGE.done` in RUN and is skipped when run again.
# Usage: run_all.sh DATA BASE RUN   (run from the project root; environment: PYTHON, TEACHER_S,
# EMBEDDER_S, STUDENT_S = time limits in seconds; EXTRA = further arguments for every stage)
set -u
DATA=$1 BASE=$2 RUN=$3
PYTHON=${PYTHON:-python3}
mkdir -p "$RUN"
export PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=true

stage() { # stage NAME MODULE ARGS…
  local name=$1 module=$2
  shift 2
  [ -e "$RUN/$name.done" ] && return 0
  echo "$(date +%T) start $name" >>"$RUN/stages.log"
  # shellcheck disable=SC2086
  if "$PYTHON" -m "training.$module" --data "$DATA" --base "$BASE" --out "$RUN/$name" "$@" ${EXTRA:-} >"$RUN/$name.log" 2>&1; then
    touch "$RUN/$name.done"
    echo "$(date +%T) done $name" >>"$RUN/stages.log"
  else
    touch "$RUN/$name.failed"
    echo "$(date +%T) FAILED $name" >>"$RUN/stages.log"
    return 1
  fi
}

stage embedder train_embedder --max-seconds "${EMBEDDER_S:-200}" &
embedder=$!
if stage teacher train_teacher --max-seconds "${TEACHER_S:-480}"; then
  stage student-a train_student --teacher "$RUN/teacher" --max-seconds "${STUDENT_S:-260}" --lr 2.5e-4 --seed 1 &
  first=$!
  stage student-b train_student --teacher "$RUN/teacher" --max-seconds "${STUDENT_S:-260}" --lr 5e-4 --seed 2
  wait "$first"
  "$PYTHON" -m training.choose --out "$RUN/student" "$RUN"/student-? >"$RUN/choose.log" 2>&1
fi
wait "$embedder"
touch "$RUN/all.done"
echo "$(date +%T) end" >>"$RUN/stages.log"
