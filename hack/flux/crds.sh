#!/bin/sh
# Writes the definition of HelmRelease as each version of helm-controller that is named has it to
# testdata/crds, without descriptions. controller-gen makes them from the Go types of the API, as
# helm-controller's own Makefile does: its module need not be there. API 1.7 needs Go 1.27, which
# the go command gets. After "-" they are printed instead.
set -eu

cd "$(dirname "$0")/../.."
root=$PWD
gen=$root/bin/crds/controller-gen
export GOTOOLCHAIN=go1.27.0+auto CGO_ENABLED=0
print=
if [ "$1" = - ]; then
	print=yes
	shift
fi

mkdir -p bin/crds testdata/crds
GOFLAGS= go build -buildvcs=false -modfile=hack/tools/go.mod -o "$gen" sigs.k8s.io/controller-tools/cmd/controller-gen
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for version; do
	mkdir "$work/$version"
	cd "$work/$version"
	printf 'module crds\n\ngo 1.27.0\n\nrequire github.com/fluxcd/helm-controller/api v%s\n' "$version" >go.mod
	printf 'package crds\n\nimport _ "github.com/fluxcd/helm-controller/api/v2"\n' >crds.go
	GOFLAGS=-mod=mod go mod tidy
	GOFLAGS=-mod=mod "$gen" crd:maxDescLen=0 paths=github.com/fluxcd/helm-controller/api/... output:crd:dir=out
	[ -z "$print" ] || { cat out/*.yaml && continue; }
	mv out/helm.toolkit.fluxcd.io_helmreleases.yaml "$root/testdata/crds/helmreleases-$version.yaml"
done
