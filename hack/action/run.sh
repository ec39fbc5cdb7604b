#!/usr/bin/env bash
# Runs flux-remedy on a GitHub runner: annotations on standard output, the
# report in the job's summary, files for the steps that follow, and the exit
# code of flux-remedy.
set -euo pipefail

fail() {
  echo "::error title=flux-remedy::$1"
  exit 2
}

for name in new-only strict fail-on-inherited allow-policy-change upload-sarif comment; do
  variable=INPUT_$(tr a-z- A-Z_ <<<"$name") # the Bash of macOS knows no other way
  [[ ${!variable} == true || ${!variable} == false ]] || fail "the input $name must be true or false"
done
[[ $INPUT_FAIL_ON =~ ^(error|warning|info|off)$ ]] || fail "the input fail-on must be error, warning, info or off"
[[ $INPUT_MIN_SEVERITY =~ ^(error|warning|info)$ ]] || fail "the input min-severity must be error, warning or info"
read -ra paths <<<"${INPUT_PATHS//$'\n'/ }"
[[ ${#paths[@]} -gt 0 ]] || fail "the input paths is empty"

mkdir -p "$RUNNER_TEMP/flux-remedy"
out=$(mktemp -d "$RUNNER_TEMP/flux-remedy/run.XXXXXX")
options=(--fail-on "$INPUT_FAIL_ON" "--strict=$INPUT_STRICT" --min-severity "$INPUT_MIN_SEVERITY")
[[ -z $INPUT_CONFIG ]] || options+=(--config "$INPUT_CONFIG")
for name in cluster source policy bundle verify-key select ignore; do
  variable=INPUT_$(tr a-z- A-Z_ <<<"$name")
  while read -r line; do
    [[ -z $line ]] || options+=("--$name=$line")
  done <<<"${!variable}"
done

while read -r line; do
  [[ -z $line ]] || options+=("$line")
done <<<"$INPUT_ARGS"

repository=${paths[0]}
[[ -d $repository ]] || repository=$(dirname -- "$repository")
is_default() { # what is checked out is on the default branch; GITHUB_REF need not be that: a comment on a pull request runs there
  [[ $(git -C "$repository" rev-parse HEAD 2>/dev/null) == "${GITHUB_SHA:-}" && (${GITHUB_REF:-} == "refs/heads/$DEFAULT_BRANCH" || ${GITHUB_EVENT_NAME:-} == schedule) ]] ||
    git -C "$repository" merge-base --is-ancestor HEAD "origin/$DEFAULT_BRANCH" 2>/dev/null
}
new_only=$INPUT_NEW_ONLY
if [[ $new_only == true ]]; then
  [[ -z $INPUT_BASELINE ]] || fail "the input baseline wants new-only false: with new-only the base is what is known"
  if [[ -z $INPUT_BASE && -z ${GITHUB_BASE_REF:-} ]] && is_default; then
    echo "::notice title=flux-remedy::this commit is on the default branch, and there is nothing to compare it with: everything counts but what spec.baseline of the configuration knows"
    new_only=false
  fi
fi

if [[ $new_only == true ]]; then
  base=$INPUT_BASE
  if [[ -z $base && -n ${GITHUB_BASE_REF:-} ]]; then
    base=$(git -C "$repository" merge-base HEAD "origin/$GITHUB_BASE_REF") ||
      fail "the history up to $GITHUB_BASE_REF is not here: check out with fetch-depth 0"
  fi
  command=(diff "${options[@]}" --base "$base" "--fail-on-inherited=$INPUT_FAIL_ON_INHERITED" "--allow-policy-change=$INPUT_ALLOW_POLICY_CHANGE")
else
  [[ -z $INPUT_BASE ]] || fail "the input base wants new-only true"
  [[ -z $INPUT_BASELINE ]] || options+=(--baseline "$INPUT_BASELINE")
  command=(lint "${options[@]}" -o "html=$out/report.html")
fi

if [[ $INPUT_UPLOAD_SARIF == true ]]; then
  # Code scanning finds out for itself what is new, so it is given everything that no baseline knows. How
  # that ends is not how the job ends, whose log has the cause last.
  flux-remedy lint "${options[@]}" -o "sarif=$out/report.sarif" -- "${paths[@]}" || true
  [[ ! -s $out/report.sarif ]] || echo "sarif-file=$out/report.sarif" >>"$GITHUB_OUTPUT"
fi

code=0
flux-remedy "${command[@]}" -o github -o "markdown=$out/report.md" -o "counts=$out/counts" -- "${paths[@]}" || code=$?
if [[ -s $out/report.md ]]; then
  cat "$out/report.md" >>"$GITHUB_STEP_SUMMARY"
  echo "markdown-file=$out/report.md" >>"$GITHUB_OUTPUT"
else
  echo "flux-remedy ended with exit code $code and wrote no report: the log of the job says why." >>"$GITHUB_STEP_SUMMARY"
fi
[[ ! -s $out/report.html ]] || echo "html-file=$out/report.html" >>"$GITHUB_OUTPUT"
if [[ -s $out/counts ]]; then
  while IFS='=' read -r name count; do
    echo "${name//_/-}=$count" >>"$GITHUB_OUTPUT"
  done <"$out/counts"
fi
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
exit "$code"
