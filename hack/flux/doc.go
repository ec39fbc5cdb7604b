// Package flux runs an unmodified Flux for tests: etcd, kube-apiserver and the
// controllers of a [Set] as processes on loopback, without containers.
//
// [Start] starts an API server that knows Flux's custom resources, and
// [Cluster.Run] a controller in front of it. What the controllers are built from is
// pinned in newest/ and oldest/, one module for each, since their replace directives differ;
// assets.sh builds them and takes their custom resource definitions from the
// same modules. Nothing outside of the machine is reached: [Artifacts] serves the
// content of sources, whose status a test sets in the place of source-controller.
//
// Everything ends with the test, also if its process is killed: see guard.go.
package flux
