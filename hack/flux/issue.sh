#!/bin/sh
# Opens an issue with what make flux-news printed to a file, unless nothing is newer, or an issue has said so:
# its title, the first line, names the versions.
set -eu

title=$(head -n 1 "$1")
case $title in
"Newer in Flux: "*) ;;
*) exit 0 ;;
esac
known=$(gh issue list --state all --limit 1000 --json title --jq '.[].title')
if printf '%s\n' "$known" | grep -qxF "$title"; then
	echo "an issue has that title already: $title"
	exit 0
fi
tail -n +2 "$1" | gh issue create --title "$title" --body-file -
