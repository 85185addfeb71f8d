#!/bin/bash
#
# package.sh JAR VERSION SECONDS: unpacked package and archive beside JAR, the jar's times being SECONDS since 1970.
# Built twice from the same sources, all but lib/cds/ is the same bytes: what a JVM dumps is its own.
set -euo pipefail

jar=$1 version=$2 seconds=$3
target=$(cd -- "${jar%/*}" && pwd)
here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
package=$target/muster
umask 022
# shellcheck source=distribution/src/build/jdks.sh
. "$here/jdks.sh"

# The launcher's first class once more, which says that there is nothing in a jar that was cut off.
make_start_jar() {
  local jar_tool class=dev/muster/Start.class
  jar_tool=$(compilers | sed -n 1p)/bin/jar
  (
    cd "$package/lib"
    "$jar_tool" -xf muster.jar "$class"
    touch -d "@$seconds" "$class"
    TZ=UTC "$jar_tool" -cMf start.jar "$class"
    rm -r dev
  )
}

rm -rf "$package"
mkdir -p "$package/lib"
cp -r "$here/../package/." "$package"
cp "$here/../../../LICENSE" "$package"
cp "$here/../../../docs/result.schema.json" "$here/../../../docs/ps.schema.json" "$package"
cp "$jar" "$package/lib/muster.jar"
make_start_jar
chmod -R u=rwX,go=rX "$package"
# The class data names the jar's time, so it is set before.
find "$package" -exec touch -h -d "@$seconds" {} +

"$here/class-data.sh" "$package" "$target/class-data"

# The archive can be had without class data, for machines of another architecture: tar --exclude='*/lib/cds/*'.
chmod -R u=rwX,go=rX "$package"
find "$package" -exec touch -h -d "@$seconds" {} +
tar --sort=name --owner=0 --group=0 --numeric-owner --format=posix --pax-option=delete=atime,delete=ctime \
  --transform="s,^muster,muster-$version," -C "$target" -c muster | gzip -n >"$target/muster-$version.tar.gz"
