#!/usr/bin/env bash
# Puts flux-remedy into the PATH of the steps that follow: from a release
# archive whose checksum is known, else built from source with Go.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=$RUNNER_TEMP/flux-remedy/bin
mkdir -p "$bin"

fail() {
  echo "::error title=flux-remedy::$1"
  exit 2
}

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

if [[ -z ${INPUT_ARCHIVE:-} ]]; then
  [[ -z ${INPUT_SHA256:-} ]] || fail "the input sha256 is given without archive"
  CGO_ENABLED=0 go build -C "$root" -trimpath -o "$bin/flux-remedy" ./cmd/lint
  # What renders charts is as large again, and built only for those who ask for it.
  [[ ${INPUT_ARGS:-} != *--charts* ]] || CGO_ENABLED=0 go build -C "$root/cmd/lint/charts" -trimpath -o "$bin/flux-remedy-charts" .
else
  [[ ${INPUT_SHA256:-} =~ ^[0-9a-f]{64}$ ]] || fail "the input sha256 must be the 64 hexadecimal digits of the archive's checksum"
  archive=$RUNNER_TEMP/flux-remedy/archive.tar.gz
  curl --fail --silent --show-error --location --retry 3 --output "$archive" -- "$INPUT_ARCHIVE"
  found=$(sha256 "$archive")
  [[ $found == "$INPUT_SHA256" ]] || fail "the archive has the checksum $found, not $INPUT_SHA256"
  tar -xzf "$archive" -C "$bin" flux-remedy flux-remedy-charts
fi
echo "$bin" >>"$GITHUB_PATH"
# Later steps may run flux-remedy themselves: lines of -o compact become annotations.
echo "::add-matcher::$root/hack/action/problem-matcher.json"
