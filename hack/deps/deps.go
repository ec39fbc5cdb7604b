//go:build deps

// Package deps holds the modules that are about to be used in go.mod.
package deps

import (
	_ "github.com/bmatcuk/doublestar/v4"
	_ "github.com/fluxcd/helm-controller/api/v2"
	_ "github.com/fluxcd/kustomize-controller/api/v1"
	_ "github.com/fluxcd/pkg/envsubst"
	_ "github.com/fluxcd/pkg/kustomize"
	_ "github.com/fluxcd/pkg/sourceignore"
	_ "github.com/go-task/slim-sprig/v3"
	_ "github.com/invopop/jsonschema"
	_ "github.com/open-policy-agent/opa/v1/rego"
	_ "github.com/open-policy-agent/opa/v1/tester"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "github.com/spf13/pflag"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/mod/semver"
	_ "golang.org/x/term"
	_ "sigs.k8s.io/controller-runtime/pkg/envtest"
	_ "sigs.k8s.io/controller-runtime/pkg/webhook"
	_ "sigs.k8s.io/kustomize/api/krusty"
	_ "sigs.k8s.io/kustomize/kyaml/filesys"
	_ "sigs.k8s.io/yaml"
)
