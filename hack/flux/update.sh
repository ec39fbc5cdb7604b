#!/bin/sh
# Takes the newest controllers that the Go module proxy has into hack/flux/newest, runs all of
# test-flux against them, records helm-controller, and prints what it does otherwise than the one
# before, as a table for the changelog.
set -eu

cd "$(dirname "$0")/../.."
pinned() { sed -n "s|^require github.com/fluxcd/$1 v||p" "hack/flux/newest/$1/go.mod"; }

# take NAME VERSION pins a version of a controller in the working directory, if all that it needs can be had.
take() {
	dir=$(go mod download -json "github.com/fluxcd/$1@$2" | sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p')
	[ -n "$dir" ] || return 1
	# The controller's own go.sum: the checksum database does not have all of it.
	sort -u go.sum "$dir/go.sum" >go.sum.new && mv go.sum.new go.sum
	GOFLAGS=-mod=mod go get "github.com/fluxcd/$1@$2" && GOFLAGS=-mod=mod go build -o /dev/null "github.com/fluxcd/$1"
}

before=$(pinned helm-controller)
for name in helm-controller kustomize-controller; do
	now=v$(pinned "$name")
	cd "hack/flux/newest/$name"
	for version in $(go list -m -versions "github.com/fluxcd/$name" | tr ' ' '\n' | grep -E '^v[0-9]+\.[0-9]+\.[0-9]+$' | sort -rV); do
		[ "$(printf '%s\n' "$version" "$now" | sort -V | tail -n 1)" = "$now" ] && break # it is no newer
		cp go.mod go.mod.before
		cp go.sum go.sum.before
		if take "$name" "$version"; then
			echo "$name $now -> $version: compare its replace directives with $PWD/go.mod" >&2
			break
		fi
		echo "$name $version cannot be had" >&2
		mv go.mod.before go.mod
		mv go.sum.before go.sum
	done
	rm -f go.mod.before go.sum.before go.sum.new
	cd - >/dev/null
done

make test-flux RECORDINGS="$PWD/testdata/forecast"
go -C hack run ./flux/compare "../testdata/forecast/$before/runs.txt" "../testdata/forecast/$(pinned helm-controller)/runs.txt"
