// Command tree writes a GitOps tree of a given size, for measuring:
//
//	go -C hack run ./bench/tree --releases 1000 DIR
//
// It has two clusters over shared bases, a kustomization and a HelmRelease with
// values for every app, and a central patch, as real trees do.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
)

func main() {
	releases := pflag.Int("releases", 1000, "number of releases")
	values := pflag.Int("values", 60, "lines of values of each release")
	pflag.Parse()
	if pflag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: tree [--releases N] [--values N] DIR")
		os.Exit(2)
	}
	if err := generate(pflag.Arg(0), *releases, *values); err != nil {
		fmt.Fprintln(os.Stderr, "tree:", err)
		os.Exit(1)
	}
}

func generate(dir string, releases, values int) error {
	files := map[string]string{}
	for _, cluster := range []string{"production", "staging"} {
		files["clusters/"+cluster+"/flux-system/gotk-sync.yaml"] = fmt.Sprintf(sync, cluster)
		files["clusters/"+cluster+"/apps.yaml"] = apps
	}
	var list strings.Builder
	for i := range releases {
		app := fmt.Sprintf("app-%04d", i)
		fmt.Fprintf(&list, "  - %s\n", app)
		files["apps/"+app+"/kustomization.yaml"] = fmt.Sprintf(kustomization, "  - release.yaml\n")
		files["apps/"+app+"/release.yaml"] = fmt.Sprintf(release, app, i%40, app) + lines(values)
	}
	files["apps/kustomization.yaml"] = fmt.Sprintf(kustomization, list.String())
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func lines(n int) string {
	var b strings.Builder
	b.WriteString("  values:\n")
	for i := range n {
		fmt.Fprintf(&b, "    key%d:\n      nested: value-%d\n", i, i)
	}
	return b.String()
}

const sync = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: https://example.com/fleet}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec:
  interval: 10m
  path: ./clusters/%s
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
`

const apps = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 10m
  path: ./apps
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  patches:
    - target: {kind: HelmRelease}
      patch: |
        apiVersion: helm.toolkit.fluxcd.io/v2
        kind: HelmRelease
        metadata: {name: any}
        spec:
          install: {strategy: {name: RetryOnFailure}}
          upgrade: {strategy: {name: RetryOnFailure}}
`

const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
%s`

const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: %s
  namespace: team-%d
spec:
  interval: 1h
  timeout: 10m
  chart:
    spec:
      chart: %s
      version: 1.2.3
      sourceRef: {kind: HelmRepository, name: charts, namespace: flux-system}
`
