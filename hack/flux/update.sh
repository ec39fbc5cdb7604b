#!/bin/sh
# Takes the newest controllers that the Go module proxy has into hack/flux/newest, runs all of
# test-flux against them, records helm-controller, and prints what it does otherwise than the one
# before, as a table for the changelog. HELM_CONTROLLER and KUSTOMIZE_CONTROLLER name versions where the
# proxy does not list them. If nothing newer can be had, it says so and changes nothing.
set -eu

cd "$(dirname "$0")/../.."
pinned() { sed -n "s|^require github.com/fluxcd/$1 v||p" "hack/flux/newest/$1/go.mod"; }

# newer NAME NOW lists the versions after NOW, the newest first.
newer() {
	case $1 in
	helm-controller) named=${HELM_CONTROLLER:-} ;;
	*) named=${KUSTOMIZE_CONTROLLER:-} ;;
	esac
	if [ -z "$named" ] && ! named=$(go list -m -versions "github.com/fluxcd/$1" 2>/dev/null); then
		echo "the versions of $1 are not listed: name one, as in make flux-update HELM_CONTROLLER=v1.7.0" >&2
	fi
	for version in $(echo "$named" | tr ' ' '\n' | grep -E '^v[0-9]+\.[0-9]+\.[0-9]+$' | sort -rV); do
		[ "$(printf '%s\n' "$version" "$2" | sort -V | tail -n 1)" = "$2" ] && break
		echo "$version"
	done
}

# take NAME VERSION pins a version of a controller in the working directory, if all that it needs can be had.
take() {
	dir=$(go mod download -json "github.com/fluxcd/$1@$2" | sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p')
	[ -n "$dir" ] || return 1
	# The controller's own go.sum: the checksum database does not have all of it.
	sort -u go.sum "$dir/go.sum" >go.sum.new && mv go.sum.new go.sum
	# Built as assets.sh does, which then has nothing left to compile.
	GOFLAGS=-mod=mod go get "github.com/fluxcd/$1@$2" &&
		CGO_ENABLED=0 GOFLAGS=-mod=mod go build -buildvcs=false -trimpath -ldflags '-s -w' -o /dev/null "github.com/fluxcd/$1"
}

before=$(pinned helm-controller)
taken=
for name in helm-controller kustomize-controller; do
	now=v$(pinned "$name")
	newest=$now
	cd "hack/flux/newest/$name"
	for version in $(newer "$name" "$now"); do
		cp go.mod go.mod.before
		cp go.sum go.sum.before
		if take "$name" "$version"; then
			echo "$name $now -> $version: compare its replace directives with $PWD/go.mod" >&2
			newest=$version taken=yes
			break
		fi
		echo "$name $version cannot be had" >&2
		mv go.mod.before go.mod
		mv go.sum.before go.sum
	done
	rm -f go.mod.before go.sum.before go.sum.new
	[ "$newest" != "$now" ] || echo "$name $now is the newest that can be had" >&2
	cd - >/dev/null
done
echo "new definitions: name their versions in hack/flux/crds.sh, then make crds generate, and make flux-since CLONES=folder" >&2
[ -n "$taken" ] || exit 0

# A controller that does something otherwise fails the tests, and is recorded all the same: what it does is
# what the table is for.
failed=
make test-flux RECORDINGS="$PWD/testdata/forecast" || failed=yes
go -C hack run ./flux/compare "../testdata/forecast/$before/runs.txt" "../testdata/forecast/$(pinned helm-controller)/runs.txt"
if [ -n "$failed" ]; then
	echo "test-flux failed: add to pkg/release/changes.go what is in the table, and let pkg/forecast ask for it" >&2
	exit 1
fi
