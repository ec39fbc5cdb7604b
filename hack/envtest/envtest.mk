# What the tests of the webhook need: an API server with its etcd in
# bin/envtest (or the folder KUBEBUILDER_ASSETS), and the CRD of HelmRelease,
# generated from the version of its API that go.mod names, in bin/crds.

HELM_API := github.com/fluxcd/helm-controller/api/v2

.PHONY: envtest-assets
envtest-assets: bin/crds/helm.toolkit.fluxcd.io_helmreleases.yaml ## API server, etcd and CRD for the webhook's tests
	@hack/envtest/assets.sh
	@hack/envtest/reports.sh

bin/crds/helm.toolkit.fluxcd.io_helmreleases.yaml: go.mod hack/tools/go.mod
	go tool -modfile=hack/tools/go.mod controller-gen crd paths=$(HELM_API) output:crd:dir=$(@D)
	@touch $@
