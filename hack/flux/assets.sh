#!/bin/sh
# Builds the controllers that are pinned in hack/flux/newest and hack/flux/oldest into
# bin/flux, with their custom resource definitions. A version of helm-controller as argument is
# built, too: into a folder of that name, unless it is one of those.
# What is there is kept: minutes each the first time, nothing after that.
set -eu

cd "$(dirname "$0")/../.."
bin=$PWD/bin/flux
export GOTOOLCHAIN=auto # a controller may need a newer Go than the programs

# build SET NAME VERSION, in the folder of a module
build() {
	[ "$(cat "$bin/$1/$2.version" 2>/dev/null)" = "$3" ] && return
	echo "building $2 $3 from its Go module" >&2
	mkdir -p "$bin/$1/crds"
	CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags '-s -w' -o "$bin/$1/$2" "github.com/fluxcd/$2"
	install -m 644 "$(go list -m -f '{{.Dir}}' "github.com/fluxcd/$2")"/config/crd/bases/*.yaml "$bin/$1/crds/"
	echo "$3" >"$bin/$1/$2.version"
}

# downloaded MODULE prints the folder that it is downloaded to
downloaded() { go mod download -json "$1" | sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p'; }

wanted=${1:-}
for module in hack/flux/newest/* hack/flux/oldest/*; do
	set=$(basename "$(dirname "$module")")
	name=$(basename "$module")
	version=$(sed -n "s|^require github.com/fluxcd/$name ||p" "$module/go.mod")
	(cd "$module" && build "$set" "$name" "$version")
	[ "$name $version" = "helm-controller $wanted" ] && wanted=
done

# Another version is built as its own go.mod and go.sum say.
if [ -n "$wanted" ]; then
	mkdir -p "$bin/source/$wanted"
	cd "$bin/source/$wanted"
	printf 'module test\n\ngo 1.26.0\n\ntool github.com/fluxcd/helm-controller\n\nrequire github.com/fluxcd/helm-controller %s\n' "$wanted" >go.mod
	cp "$(downloaded "github.com/fluxcd/helm-controller@$wanted")/go.sum" .
	chmod u+w go.sum
	GOFLAGS=-mod=mod build "$wanted" helm-controller "$wanted"
	cd - >/dev/null
fi

# What makes and collects the claims of StatefulSets, and empties namespaces.
version=$(sed -n 's/.*k8s.io\/kubernetes v\([0-9.]*\).*/\1/p' hack/envtest/apiserver/go.mod)
if [ "$(cat "$bin/kube-controller-manager.version" 2>/dev/null)" != "$version" ]; then
	echo "building kube-controller-manager $version from its Go module" >&2
	(cd hack/envtest/apiserver && CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$version" \
		-o "$bin/kube-controller-manager" k8s.io/kubernetes/cmd/kube-controller-manager)
	echo "$version" >"$bin/kube-controller-manager.version"
fi

# Sources are played by the tests: of source-controller only the definitions are needed.
version=$(sed -n 's|^require github.com/fluxcd/source-controller ||p' hack/flux/sources/go.mod)
if [ "$(cat "$bin/sources.version" 2>/dev/null)" != "$version" ]; then
	dir=$(cd hack/flux/sources && downloaded github.com/fluxcd/source-controller)
	mkdir -p "$bin/sources.part"
	install -m 644 "$dir"/config/crd/bases/*.yaml "$bin/sources.part/"
	rm -rf "$bin/sources"
	mv "$bin/sources.part" "$bin/sources"
	echo "$version" >"$bin/sources.version"
fi
