#!/usr/bin/env bash
# Pushes what clusters get of a release to $REGISTRY, as $TAG, and signs it by its digest: the images,
# the manifests and the Helm chart.
set -euo pipefail
dir=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
host=${REGISTRY%%/*}
crane() { go tool crane "$@"; }
[[ -z ${REGISTRY_PASSWORD:-} ]] || crane auth login "$host" --username "$REGISTRY_USER" --password-stdin <<<"$REGISTRY_PASSWORD"

sign() { if command -v cosign >/dev/null; then cosign sign --yes "$1"; fi; }

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
  helm push "$chart" "oci://$REGISTRY/charts"
done
