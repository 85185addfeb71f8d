# shellcheck shell=bash
# Sourced by ./verify: tests also run jobs as other users, who cannot enter a directory such as /root.

# If other users cannot read this project, restarts ./verify in a private mount of it that they can read. Takes the arguments of ./verify.
go_where_all_can_read() {
  local others=(setpriv --reuid=65534 --regid=65534 --clear-groups test -x)
  # Without the right to run setpriv, tests cannot run jobs as other users either.
  if "${others[@]}" / 2>/dev/null && ! "${others[@]}" "$PWD/verify"; then
    # shellcheck disable=SC2016
    if unshare --mount bash -c 'mount --bind . /mnt && "$@"' bash "${others[@]}" /mnt/verify 2>/dev/null; then
      echo "verify: other users cannot read $PWD: tests have it at /mnt" >&2
      exec unshare --mount bash -c 'mount --bind . /mnt && cd /mnt && exec ./verify "$@"' bash "$@"
    fi
    echo "verify: other users cannot read $PWD: tests that run jobs as others will fail. Clone the project to another place" >&2
  fi
}
