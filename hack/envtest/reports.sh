#!/bin/sh
# Puts the CRDs of reports into bin/crds/reports, as their projects publish them in Go modules.
# Without them the tests take stand-ins.
set -eu

cd "$(dirname "$0")/../.."
dir=bin/crds/reports
kyverno=v1.13.4 # with PolicyReport, as all before OpenReports
openreports=$(sed -n 's/.*github.com\/openreports\/reports-api \(v[0-9.]*\).*/\1/p' hack/go.mod)
[ -e "$dir/wgpolicyk8s.io_policyreports.yaml" ] && [ -e "$dir/openreports.io_reports.yaml" ] && exit 0
mkdir -p "$dir"

# copy MODULE@VERSION FILE
copy() {
	module=$(go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)",/\1/p')
	cp "$module/$2" "$dir/" && chmod u+w "$dir/$(basename "$2")"
}

copy "github.com/openreports/reports-api@$openreports" config/crd/openreports.io_reports.yaml &&
	copy "github.com/kyverno/kyverno@$kyverno" config/crds/policyreport/wgpolicyk8s.io_policyreports.yaml || {
	echo "the CRDs of reports cannot be had: stand-ins are used" >&2
	rm -r "$dir"
}
