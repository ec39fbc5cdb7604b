package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func kindOf(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// reportKey names a report object.
type reportKey struct{ namespace, name string }

// write makes the reports of a cluster say what is known of its releases: those that say it
// already stay. Reports of releases that are gone are deleted, if all could be read.
func (k Kind) write(ctx context.Context, c *live.Cluster, namespace string, all []Release, by rules.InForce, complete bool) error {
	there, err := k.written(ctx, c, namespace)
	if err != nil {
		return err
	}
	for _, r := range all {
		report := k.report(r, by)
		at := reportKey{report.Metadata.Namespace, report.Metadata.Name}
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

// written returns the digests of the reports that are there.
func (k Kind) written(ctx context.Context, c *live.Cluster, namespace string) (map[reportKey]string, error) {
	there := map[reportKey]string{}
	for report, err := range c.List(ctx, live.Query{Resource: k.Resource, Namespace: namespace, Labels: managerLabel + "=" + manager, Metadata: true}) {
		if live.Is(err, http.StatusNotFound) {
			return nil, fmt.Errorf("--write-reports=%s: the cluster has no CRD %s.%s: install it from %s: %w", k.Name, k.Resource.Plural, k.Resource.Group, k.CRDs, err)
		}
		if err != nil {
			return nil, fmt.Errorf("list reports: %w", err)
		}
		there[reportKey{object.Namespace(report), object.Name(report)}] = object.String(report, "metadata", "annotations", digestKey)
	}
	return there, nil
}

// print writes the reports as documents, for kubectl.
func (k Kind) print(w io.Writer, r Report) error {
	for i, one := range r.Releases {
		text, err := json.Marshal(k.report(one, r.InForce))
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
