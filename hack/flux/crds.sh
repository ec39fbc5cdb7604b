#!/bin/sh
# Writes the definition of HelmRelease as each version of helm-controller that is named has it to
# testdata/crds, and those of the other kinds of Flux to testdata/crds/others, without descriptions. controller-gen makes them from the Go types of the API, as
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
# define MODULE VERSION PACKAGES FOLDER PACKAGE: writes what packages of the API define, of which it names one, to a folder.
define() {
	mkdir "$work/$4" && cd "$work/$4"
	printf 'module crds\n\ngo 1.27.0\n\nrequire %s %s\n' "$1" "$2" >go.mod
	printf 'package crds\n\nimport _ "%s"\n' "$1/$5" >crds.go
	GOFLAGS=-mod=mod go mod tidy
	GOFLAGS=-mod=mod "$gen" crd:maxDescLen=0 "paths=$1/$3" output:crd:dir=out
}
for version; do
	define github.com/fluxcd/helm-controller/api "v$version" ... "$version" v2
	[ -z "$print" ] || { cat out/*.yaml && continue; }
	mv out/helm.toolkit.fluxcd.io_helmreleases.yaml "$root/testdata/crds/helmreleases-$version.yaml"
done
[ -z "$print" ] || exit 0

# The other kinds of Flux, as the newest controllers have them.
others=$root/testdata/crds/others
rm -rf "$others" && mkdir "$others"
while read -r module version package packages; do
	define "$module" "$version" "${packages:-$package}" "$(basename "$(dirname "$module")")-$(basename "$module")-$(basename "$package")" "$package"
	mv out/*.yaml "$others"
done <<END
github.com/fluxcd/kustomize-controller/api v1.10.1 v1
github.com/fluxcd/source-controller/api v1.10.1 v1
github.com/fluxcd/source-watcher/api/v2 v2.3.1 v1beta1
github.com/fluxcd/notification-controller/api v1.10.0 v1 ...
github.com/controlplaneio-fluxcd/flux-operator v0.59.0 api/v1
END
rm "$others"/*_fluxreports.yaml "$others"/*_receivers.yaml # flux-operator writes the ones itself, the others decide nothing
