#!/bin/sh
# Builds the controllers of hack/flux/newest into bin/flux, with their custom resource
# definitions, from the modules that are pinned there.
# What is there is kept: minutes each the first time, nothing after that.
set -eu

cd "$(dirname "$0")/../.."
bin=$PWD/bin/flux

for module in hack/flux/newest/*; do
	set=$(basename "$(dirname "$module")")
	name=$(basename "$module")
	version=$(sed -n "s|^require github.com/fluxcd/$name ||p" "$module/go.mod")
	stamp=$bin/$set/$name.version
	[ "$(cat "$stamp" 2>/dev/null)" = "$version" ] && continue
	echo "building $name $version from its Go module" >&2
	mkdir -p "$bin/$set/crds"
	(
		cd "$module"
		CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags '-s -w' -o "$bin/$set/$name" "github.com/fluxcd/$name"
		dir=$(go list -m -f '{{.Dir}}' "github.com/fluxcd/$name")
		install -m 644 "$dir"/config/crd/bases/*.yaml "$bin/$set/crds/"
	)
	echo "$version" >"$stamp"
done

# Sources are played by the tests: of source-controller only the definitions are needed.
if [ ! -d "$bin/sources" ]; then
	dir=$(cd hack/flux/sources && go mod download -json github.com/fluxcd/source-controller | sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p')
	mkdir -p "$bin/sources.part"
	install -m 644 "$dir"/config/crd/bases/*.yaml "$bin/sources.part/"
	mv "$bin/sources.part" "$bin/sources"
fi
