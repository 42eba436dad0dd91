#!/bin/sh
# Three PyTorch jobs on one NVIDIA GPU, under a server that runs from the image: two share the GPU by memory, a third
# takes the place of one at the end of an epoch, all go on from their checkpoints and finish. Prints a table; exits 0
# when everything went so. Takes about two minutes.
#
#   ./build --image                    on a machine with a JDK
#   bench/gpu/run.sh [IMAGE_ARCHIVE]   where there is a GPU and Python with PyTorch; needs no Java and no network
#
#   POLICY=elastic     the policy of the server
#   PYTHON=python3     a Python that has PyTorch
#   PRETEND=1          without a GPU and PyTorch: a declared GPU, and numbers instead of models

here=$(cd "$(dirname "$0")" && pwd) || exit 1
archive=${1:-$(ls "$here"/../../.build/fairlead-*-linux-x64.tar.gz 2>/dev/null | tail -n 1)}
policy=${POLICY:-elastic}
python=$(command -v "${PYTHON:-python3}") || { echo "there is no ${PYTHON:-python3} here" >&2; exit 1; }
work=$(mktemp -d) || exit 1
export FAIRLEAD_HOME="$work/home" PYTHONPATH="$here/../../python${PYTHONPATH:+:$PYTHONPATH}"
unset FAIRLEAD_SERVER FAIRLEAD_TOKEN

fairlead() { "$work/fairlead/fairlead" "$@"; }

diagnose() {
    echo "--- jobs"
    fairlead list --all
    for log in "$FAIRLEAD_HOME"/local/attempts/*/*.log; do
        [ -e "$log" ] || continue
        echo "--- ${log##*/attempts/}"
        tail -n 15 "$log"
    done
    echo "--- server log"
    tail -n 30 "$FAIRLEAD_HOME"/logs/server.log "$FAIRLEAD_HOME"/logs/server.out 2>/dev/null
    command -v nvidia-smi >/dev/null && nvidia-smi
} 2>&1

# The scenario stops its own jobs; they would outlive the server.
scenario=
clean_up() {
    if [ -n "$scenario" ]; then
        kill "$scenario" 2>/dev/null
        wait "$scenario"
    fi
    [ ! -e "$FAIRLEAD_HOME/server.json" ] || fairlead server stop >/dev/null 2>&1
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

tar -C "$work" -xzf "$archive" || { echo "make the image first: ./build --image" >&2; exit 1; }
mkdir -m 700 "$FAIRLEAD_HOME"
if [ -n "$PRETEND" ]; then
    export PRETEND_BYTES=1
    echo "gpu-memory = 16G" >"$FAIRLEAD_HOME/settings"
else
    "$python" -c "
import torch
assert torch.cuda.is_available(), 'PyTorch sees no GPU'
print('PyTorch', torch.__version__, 'on', torch.cuda.get_device_name(0))" || exit 1
fi
# One GPU, also where there are more; and nobody is left alone for minutes, as a night's training would be.
fairlead server start --policy "$policy" --undisturbed 3s --gpus 1 || { diagnose; exit 1; }
fairlead nodes
fairlead user create bob >/dev/null && fairlead project create urgent --quota 1 >/dev/null &&
    fairlead project members urgent --add bob >/dev/null || { diagnose; exit 1; }
# In the background, so that a signal to this shell is heard at once.
"$python" -u "$here/scenario.py" "$work/fairlead/fairlead" "$FAIRLEAD_HOME" "$work" "$python" &
scenario=$!
wait "$scenario" || { diagnose; exit 1; }
scenario=
