// The custom resource definitions of sources come from source-controller. It is not built.
module github.com/flux-remedy/remedy/hack/flux/sources

go 1.27.0

require github.com/fluxcd/source-controller v1.10.1
