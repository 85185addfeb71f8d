# shellcheck shell=sh
echo hello
