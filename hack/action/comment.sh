#!/usr/bin/env bash
# Writes the report as a comment of a pull request, or rewrites the one that an
# earlier run wrote: it begins with the mark, and is of a bot or of the token's owner.
set -euo pipefail

mark='<!-- flux-remedy -->'
comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments
body=$RUNNER_TEMP/flux-remedy/comment.md
{ echo "$mark"; cat "$MARKDOWN_FILE"; } >"$body"
me=$(gh api user --jq .login 2>/dev/null) || me= # GitHub's own token has no user
find_own() {
  gh api --paginate "$comments" --jq ".[] | select((.user.type == \"Bot\" or .user.login == \"$me\") and (.body | startswith(\"$mark\"))) | .id"
}
write() {
  if [[ -n $id ]]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$body" --silent
  else
    gh api --method POST "$comments" --field "body=@$body" --silent
  fi
}
# The comment is a courtesy: whether the job fails is for the findings alone. The token of a
# pull request from a fork may read only.
if ! { found=$(find_own) && id=$(sed -n 1p <<<"$found") && write; }; then
  echo "::warning title=flux-remedy::the comment could not be written: the job needs the permission pull-requests write, which GitHub gives to no pull request from a fork. The report is in the job's summary."
fi
