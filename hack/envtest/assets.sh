#!/bin/sh
# Puts kube-apiserver and etcd into bin/envtest, once: downloaded where that
# works within a minute, else built from their Go modules (5 to 10 minutes on
# two cores). Does nothing if KUBEBUILDER_ASSETS names a folder that has them.
set -eu

cd "$(dirname "$0")/../.."
dir=bin/envtest

if [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
	for name in kube-apiserver etcd; do
		[ -x "$KUBEBUILDER_ASSETS/$name" ] || {
			echo "KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS holds no $name" >&2
			exit 1
		}
	done
	exit 0
fi

version=$(sed -n 's/.*k8s.io\/kubernetes v\([0-9.]*\).*/\1/p' hack/envtest/apiserver/go.mod)
[ "$(cat "$dir/version" 2>/dev/null)" = "$version" ] && exit 0
mkdir -p "$dir"

# bounded SECONDS COMMAND... runs the command, cut off where the system can.
bounded() {
	if command -v timeout >/dev/null; then timeout "$@"; else shift && "$@"; fi
}

download() {
	tool=$PWD/bin/setup-envtest
	(cd hack/tools && CGO_ENABLED=0 go build -buildvcs=false -o "$tool" sigs.k8s.io/controller-runtime/tools/setup-envtest)
	found=$(bounded 60 "$tool" use "${version%.*}.x!" --bin-dir "$PWD/bin/envtest-download" -p path 2>/dev/null) || return 1
	cp "$found/kube-apiserver" "$found/etcd" "$dir/"
}

# build MODULE PACKAGE NAME LDFLAGS
build() {
	echo "building $3 from its Go module" >&2
	(cd "hack/envtest/$1" && CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags "-s -w $4" -o "../../../$dir/$3" "$2")
}

# A server that is built without these calls itself v0.0.0-master and refuses
# API versions by that.
stamp() {
	minor=${version#*.}
	for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
		printf ' -X %s.%s' \
			$package "gitVersion=v$version" \
			$package "gitMajor=${version%%.*}" \
			$package "gitMinor=${minor%%.*}" \
			$package gitTreeState=archive \
			$package gitCommit=module \
			$package buildDate=1970-01-01T00:00:00Z
	done
}

if ! download; then
	build apiserver k8s.io/kubernetes/cmd/kube-apiserver kube-apiserver "$(stamp)"
	build etcd go.etcd.io/etcd/server/v3 etcd ''
fi
echo "$version" >"$dir/version"
