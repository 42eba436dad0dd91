#!/bin/sh
# Shows what a server sees of the GPUs of this machine while a process holds some of their memory: by the
# engine's own code, from the image (./build --image), beside what nvidia-smi says. Needs Python with PyTorch.
#
#   bench/gpu/nvml.sh [IMAGE_ARCHIVE]
#
# Exits 0 when the process was seen with at least what it holds.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
archive=${1:-$(ls "$here"/../../.build/fairlead-*-linux-x64.tar.gz 2>/dev/null | tail -n 1)}
work=$(mktemp -d) || exit 1
holder=
clean_up() {
    [ -z "$holder" ] || kill "$holder" 2>/dev/null
    rm -rf "$work"
}
trap clean_up EXIT
tar -C "$work" -xzf "$archive" || exit 1

MIB=2048
"${PYTHON:-python3}" -u -c "
import time, torch
held = torch.empty($MIB << 20, dtype=torch.uint8, device='cuda')
held.fill_(1)
torch.cuda.synchronize()
print('ready', flush=True)
time.sleep(120)
" >"$work/ready" 2>"$work/errors" &
holder=$!
tries=0
until grep -q ready "$work/ready"; do
    tries=$((tries + 1))
    if [ $tries -gt 600 ] || ! kill -0 $holder 2>/dev/null; then
        echo "no process could hold GPU memory:" >&2
        tail -n 5 "$work/errors" >&2
        exit 1
    fi
    sleep 0.1
done

echo "process $holder holds $MIB MiB and its CUDA context"
"$work/fairlead/runtime/bin/java" -cp "$work/fairlead/lib/server.jar" \
    fairlead.engines.local.GpuCheck | tee "$work/seen" || exit 1
echo "nvidia-smi: $(nvidia-smi --query-compute-apps=pid,gpu_uuid,used_memory --format=csv,noheader 2>&1 | tr '\n' ';')"
seen=$(sed -n "s/^process $holder on gpu .*: \([0-9]*\) MiB.*/\1/p" "$work/seen")
if [ -z "$seen" ]; then
    echo "FAILED: process $holder was not seen; the driver may number processes of another namespace" >&2
    exit 1
fi
[ "$seen" -ge $MIB ] || { echo "FAILED: only $seen MiB of $MIB were seen" >&2; exit 1; }
echo "ok: $seen MiB of process $holder were seen"
