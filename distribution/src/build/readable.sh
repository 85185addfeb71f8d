# shellcheck shell=bash
# Sourced by ./verify: tests run jobs as other users too, who cannot go through a directory such as /root.

# Where others cannot read this project, has ./verify begin again at a place where they can, and that nobody else sees. Takes its arguments.
go_where_all_can_read() {
  local others=(setpriv --reuid=65534 --regid=65534 --clear-groups test -x)
  # Who cannot ask as others cannot run jobs as others either.
  if "${others[@]}" / 2>/dev/null && ! "${others[@]}" "$PWD/verify"; then
    # shellcheck disable=SC2016
    if unshare --mount bash -c 'mount --bind . /mnt && "$@"' bash "${others[@]}" /mnt/verify 2>/dev/null; then
      echo "verify: other users cannot read $PWD: tests have it at /mnt" >&2
      exec unshare --mount bash -c 'mount --bind . /mnt && cd /mnt && exec ./verify "$@"' bash "$@"
    fi
    echo "verify: other users cannot read $PWD: tests that run jobs as others will fail. Clone the project to another place" >&2
  fi
}
