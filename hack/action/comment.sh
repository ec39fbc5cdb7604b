#!/usr/bin/env bash
# Writes the report as a comment of a pull request, or rewrites the one that an
# earlier run wrote, which begins with the mark.
set -euo pipefail

mark='<!-- flux-remedy -->'
comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments
body=$RUNNER_TEMP/flux-remedy/comment.md
{ echo "$mark"; cat "$MARKDOWN_FILE"; } >"$body"
id=$(gh api --paginate "$comments" --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id" | sed -n 1p)
if [[ -n $id ]]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$body" --silent
else
  gh api --method POST "$comments" --field "body=@$body" --silent
fi
