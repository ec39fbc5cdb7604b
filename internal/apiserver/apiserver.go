// Package apiserver starts a real API server for tests. "make envtest-assets" brings what it
// needs.
package apiserver

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// At returns an API server that is not started yet, with the CRD of HelmRelease and those in
// more files and folders. root is the root of this repository.
func At(root string, crds ...string) (*envtest.Environment, error) {
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		assets = filepath.Join(root, "bin", "envtest")
	}
	crds = append([]string{filepath.Join(root, "bin", "crds")}, crds...)
	for _, path := range append([]string{filepath.Join(assets, "kube-apiserver"), filepath.Join(assets, "etcd")}, crds...) {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("start the API server: %w: run `make envtest-assets`", err)
		}
	}
	return &envtest.Environment{
		BinaryAssetsDirectory:    assets,
		CRDInstallOptions:        envtest.CRDInstallOptions{Paths: crds, ErrorIfPathMissing: true},
		ControlPlaneStartTimeout: 90 * time.Second, ControlPlaneStopTimeout: 30 * time.Second,
	}, nil
}
