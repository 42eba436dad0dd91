#!/bin/sh
# Installs what './build --deb' has made into folders of its own, as install.sh and as dpkg do it, and runs a job with each.
# The package is tried only where dpkg is, and by root.
set -eu
build=$(cd "$(dirname "$0")/../.build" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FAIRLEAD_HOME="$work/home"

first_job() { # launcher
    said=$("$1" -n 0 run echo hi 2>/dev/null) || { echo "try: $1 run ended with $?" >&2; exit 1; }
    "$1" server stop >/dev/null 2>&1
    [ "$said" = hi ] || { echo "try: $1 run printed '$said'" >&2; exit 1; }
}

for archive in "$build"/fairlead-*-linux-*.tar.gz; do :; done
sh "$(dirname "$0")/install.sh" "$archive" "$work/prefix" >/dev/null
# Once more over itself, as an upgrade is.
sh "$(dirname "$0")/install.sh" "$archive" "$work/prefix" >/dev/null
first_job "$work/prefix/bin/fairlead"
for path in man/man1/fairlead.1 bash-completion/completions/fairlead fish/vendor_completions.d/fairlead.fish; do
    [ -s "$work/prefix/share/$path" ] || { echo "try: no $path" >&2; exit 1; }
done
"$work/prefix/bin/fairlead" version | grep -q "install.sh" || { echo "try: version does not say how to upgrade" >&2; exit 1; }

cp "$archive" "$work/damaged.tar.gz" && echo more >>"$work/damaged.tar.gz" && cp "$archive.sha256" "$work/damaged.tar.gz.sha256"
! sh "$(dirname "$0")/install.sh" "$work/damaged.tar.gz" "$work/prefix" 2>/dev/null || { echo "try: a damaged archive was installed" >&2; exit 1; }

if command -v dpkg >/dev/null && [ "$(id -u)" = 0 ]; then
    mkdir -p "$work/root/var/lib/dpkg" && : >"$work/root/var/lib/dpkg/status"
    # In an empty root nothing is installed, so what it depends on is not looked for.
    dpkg --root="$work/root" --force-depends --install "$build"/fairlead_*.deb >/dev/null 2>&1
    first_job "$work/root/usr/bin/fairlead"
    [ -s "$work/root/usr/share/zsh/vendor-completions/_fairlead" ] || { echo "try: no completion for zsh" >&2; exit 1; }
    [ -e "$work/root/usr/lib/systemd/system/fairlead.service" ] || { echo "try: no unit of systemd" >&2; exit 1; }
    dpkg --root="$work/root" --purge fairlead >/dev/null 2>&1
    [ ! -e "$work/root/usr/lib/fairlead" ] || { echo "try: purge leaves /usr/lib/fairlead" >&2; exit 1; }
fi
echo "installed and run: by install.sh$(! command -v dpkg >/dev/null || [ "$(id -u)" != 0 ] || echo " and by dpkg")"
