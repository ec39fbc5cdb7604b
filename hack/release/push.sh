#!/usr/bin/env bash
# Pushes what clusters get of a release to $REGISTRY, as $TAG: the images, the manifests and the Helm chart. Each is
# signed by its digest with cosign, unless UNSIGNED is set.
set -euo pipefail
dir=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
host=${REGISTRY%%/*}
crane() { go tool crane "$@"; }
[[ -z ${REGISTRY_PASSWORD:-} ]] || crane auth login "$host" --username "$REGISTRY_USER" --password-stdin <<<"$REGISTRY_PASSWORD"

command -v cosign >/dev/null || [[ -n ${UNSIGNED:-} ]] || { echo "push.sh: cosign is not installed; UNSIGNED=1 pushes without signatures" >&2; exit 1; }
sign() { [[ -n ${UNSIGNED:-} ]] || cosign sign --yes "$1"; }

for archive in "$dir"/*.oci.tar; do
  name=${archive%.oci.tar} && name=${name##*_} # flux-remedy, remedy-webhook, manifests
  [[ $name != manifests ]] || name=remedy-webhook-manifests
  layout=$(mktemp -d)
  tar -xf "$archive" -C "$layout"
  crane push "$layout" "$REGISTRY/$name:$TAG"
  rm -r "$layout"
  sign "$REGISTRY/$name@$(cat "${archive%.oci.tar}.digest")"
done
for chart in "$dir"/*.tgz; do
  name=$(basename "$chart" .tgz) && name=${name%-"${TAG#v}"}
  digest=$(helm push "$chart" "oci://$REGISTRY/charts" 2>&1 | tee /dev/stderr | sed -n 's/^Digest: //p')
  sign "$REGISTRY/charts/$name@${digest:?helm push tells no digest}"
done
