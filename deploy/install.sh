#!/bin/sh
# Installs a release of Fairlead, for you alone or, as root with a prefix, for all:
#
#   sh install.sh fairlead-VERSION-linux-x64.tar.gz [PREFIX]       PREFIX is ~/.local unless said
#   sh install.sh https://.../fairlead-VERSION-linux-x64.tar.gz
#
#   PREFIX/lib/fairlead-VERSION    the program
#   PREFIX/bin/fairlead            a link to it
#   PREFIX/share                   links to its man pages, and to what the tab key does in bash, zsh and fish
#
# A newer version goes beside the older one, whose server may still run; the link then leads to the newer. To remove it all:
# rm -r PREFIX/lib/fairlead-* PREFIX/bin/fairlead PREFIX/share/*/*/*fairlead*
set -eu

fail() {
    echo "install: $*" >&2
    exit 1
}

archive=${1-}
[ -n "$archive" ] || fail "which archive? sh install.sh fairlead-VERSION-linux-x64.tar.gz [PREFIX]; './build --image' makes one"
prefix=${2:-${HOME:?}/.local}
[ "$(uname -s)" = Linux ] || fail "this archive is for Linux; for $(uname -s) there is fairlead-VERSION-client.zip, see docs/laptops.md"

mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/share" || fail "cannot write to $prefix"
prefix=$(cd "$prefix" && pwd)
# On the same disk, so that the move at the end is one step.
work=$(mktemp -d "$prefix/lib/.fairlead-XXXXXX") || fail "cannot write to $prefix/lib"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

fetch() { # address, file
    if command -v curl >/dev/null; then curl -fsSL -o "$2" "$1"; elif command -v wget >/dev/null; then wget -qO "$2" "$1"; else fail "neither curl nor wget is here to fetch it: install one, or fetch it yourself and name the file"; fi
}

case $archive in
    http://* | https://*)
        fetch "$archive" "$work/archive" || fail "cannot fetch $archive"
        ! fetch "$archive.sha256" "$work/sum" 2>/dev/null || sum=$work/sum
        file=$work/archive
        ;;
    *)
        [ -f "$archive" ] || fail "there is no file $archive"
        file=$archive
        [ ! -f "$archive.sha256" ] || sum=$archive.sha256
        ;;
esac
if [ -n "${sum-}" ]; then
    read -r wanted _ <"$sum"
    found=$(sha256sum "$file")
    [ "$wanted" = "${found%% *}" ] || fail "$archive is damaged: its SHA-256 sum is ${found%% *}, and should be $wanted"
fi

# With the times of the files: Java takes its caches of classes for stale without them.
tar -C "$work" -xzf "$file" || fail "cannot unpack $archive"
[ -r "$work/fairlead/release" ] || fail "$archive is not an archive of Fairlead"
read -r version kind <"$work/fairlead/release"
case $kind-$(uname -m) in
    linux-x64-x86_64 | linux-arm64-aarch64) ;;
    *) fail "$archive is for $kind, and this machine is $(uname -m)" ;;
esac
"$work/fairlead/fairlead" help >/dev/null || fail "it does not run here; it needs glibc 2.34 or newer"

place=$prefix/lib/fairlead-$version
# The same version again: a server may run from the folder, so its files go all at once.
[ ! -e "$place" ] || mv "$place" "$work/old"
mv "$work/fairlead" "$place"
link() { ln -sfn "$1" "$2" || fail "cannot write $2"; }
link "../lib/fairlead-$version/fairlead" "$prefix/bin/fairlead"
for file in "$place"/share/*/*/*; do
    path=${file#"$place"/}
    mkdir -p "$prefix/${path%/*}" || fail "cannot write to $prefix"
    link "../../../lib/fairlead-$version/$path" "$prefix/$path"
done

echo "fairlead $version is in $place"
case :$PATH: in
    *":$prefix/bin:"*) echo "try: fairlead run echo hi" ;;
    *) echo "$prefix/bin is not on your PATH; for this shell: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
