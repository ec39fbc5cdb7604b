// Package policyreport writes what is known of the HelmReleases of a cluster as report objects, which dashboards read: one
// for each release (report.go), of one of two kinds (kind.go).
package policyreport

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"

	"go.yaml.in/yaml/v3"
)

// Kind is a kind of report objects, which dashboards read.
type Kind struct {
	Name     string // as people choose it
	Kind     string
	Resource live.Resource
	// Sourced is true if the report as a whole names its source.
	Sourced bool
	// CRDs says where they come from.
	CRDs string
}

// Kinds are those that reports are written as. Their objects differ in nothing else: the
// working group's project became OpenReports.
var Kinds = []Kind{
	{"openreports", "Report", live.Resource{Group: "openreports.io", Version: "v1alpha1", Plural: "reports"}, true, "https://github.com/openreports/reports-api"},
	{"policyreports", "PolicyReport", live.Resource{Group: "wgpolicyk8s.io", Version: "v1alpha2", Plural: "policyreports"}, false, "https://github.com/kubernetes-sigs/wg-policy-prototypes"},
}

// Names lists the names of the kinds.
func Names() []string {
	return words.Of(Kinds, func(k Kind) string { return k.Name })
}

// Find returns the kind of a name, if there is one.
func Find(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// key names a report object.
type key struct{ namespace, name string }

// Write makes the reports of a cluster say what is known of its releases: those that say it
// already stay. Reports of releases that are gone are deleted, if all could be read.
func (k Kind) Write(ctx context.Context, c *live.Cluster, namespace string, all []overview.Release, by rules.InForce, complete bool) error {
	there, err := k.written(ctx, c, namespace)
	if err != nil {
		return err
	}
	for _, r := range all {
		report := k.report(r, by)
		at := key{report.Metadata.Namespace, report.Metadata.Name}
		if there[at] != report.Metadata.Annotations[digestKey] {
			if err := c.Apply(ctx, k.Resource, at.namespace, at.name, report); err != nil {
				return fmt.Errorf("write report %s/%s: %w", at.namespace, at.name, err)
			}
		}
		delete(there, at)
	}
	for at := range there {
		if !complete {
			break
		}
		if err := c.Delete(ctx, k.Resource, at.namespace, at.name); err != nil {
			return fmt.Errorf("delete report %s/%s: %w", at.namespace, at.name, err)
		}
	}
	return nil
}

func (k Kind) written(ctx context.Context, c *live.Cluster, namespace string) (map[key]string, error) {
	there := map[key]string{}
	for report, err := range c.List(ctx, live.Query{Resource: k.Resource, Namespace: namespace, Labels: managerLabel + "=" + manager, Metadata: true}) {
		if live.Is(err, http.StatusNotFound) {
			return nil, fmt.Errorf("--write-reports=%s: the cluster has no CRD %s.%s: install it from %s: %w", k.Name, k.Resource.Plural, k.Resource.Group, k.CRDs, err)
		}
		if err != nil {
			return nil, fmt.Errorf("list reports: %w", err)
		}
		there[key{object.Namespace(report), object.Name(report)}] = object.String(report, "metadata", "annotations", digestKey)
	}
	return there, nil
}

// Print writes the reports about releases as documents, for kubectl.
func (k Kind) Print(w io.Writer, all []overview.Release, by rules.InForce) error {
	for i, one := range all {
		text, err := json.Marshal(k.report(one, by))
		if err != nil {
			return err
		}
		var document yaml.Node
		if err := yaml.Unmarshal(text, &document); err != nil { // JSON is YAML
			return err
		}
		plainStyle(&document)
		if i > 0 {
			if _, err := io.WriteString(w, "---\n"); err != nil {
				return err
			}
		}
		if err := plain.WriteYAML(w, document.Content[0]); err != nil {
			return err
		}
	}
	return nil
}

// plainStyle has a document written as people do.
func plainStyle(node *yaml.Node) {
	node.Style = 0
	for _, child := range node.Content {
		plainStyle(child)
	}
}
