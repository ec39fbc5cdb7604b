package audit

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
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

// KindNames lists the names of the kinds.
func KindNames() []string {
	return words.Of(Kinds, func(k Kind) string { return k.Name })
}

// kubeReport is a report about one HelmRelease, as the API server takes it.
type kubeReport struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   metadata     `json:"metadata"`
	Source     string       `json:"source,omitempty"`
	Scope      reference    `json:"scope"`
	Summary    outcomes     `json:"summary"`
	Results    []kubeResult `json:"results"`
}

type metadata struct {
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations,omitempty"`
	// Owners take the report with them.
	Owners []reference `json:"ownerReferences,omitempty"`
}

type reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
	UID        string `json:"uid,omitempty"`
}

type outcomes struct {
	Pass  int `json:"pass"`
	Fail  int `json:"fail"`
	Warn  int `json:"warn"`
	Error int `json:"error"`
	Skip  int `json:"skip"`
}

// kubeResult is what one rule says, or how the release is. It has no time, so that what
// stays is not written again.
type kubeResult struct {
	Source     string            `json:"source"`
	Policy     string            `json:"policy"`
	Category   string            `json:"category,omitempty"`
	Severity   string            `json:"severity,omitempty"`
	Result     string            `json:"result"`
	Message    string            `json:"message,omitempty"`
	Properties map[string]string `json:"properties,omitempty"`
}

const (
	manager      = "flux-remedy"
	managerLabel = "app.kubernetes.io/managed-by"
	// healthPolicy is the policy of the result that says how a release is.
	healthPolicy = "release-health"
	// digestKey is the annotation with the digest of what a report says.
	digestKey = "flux-remedy.io/digest"
	// The annotations with the policies and the configuration that it rests on.
	policyKey = "flux-remedy.io/policy-digest"
	bundleKey = "flux-remedy.io/policy-bundle"
)

// report returns the report about a release, judged by some policies.
func (k Kind) report(r Release, by rules.InForce) kubeReport {
	of := reference{APIVersion: release.Group + "/v2", Kind: "HelmRelease", Name: r.Name.Name, UID: r.uid}
	out := kubeReport{
		APIVersion: k.Resource.Group + "/" + k.Resource.Version, Kind: k.Kind,
		Metadata: metadata{Name: reportName(r.Name.Name), Namespace: r.Namespace, Labels: map[string]string{managerLabel: manager}},
		Results:  []kubeResult{r.health()},
	}
	if k.Sourced {
		out.Source = manager
	}
	if r.uid != "" {
		out.Metadata.Owners = []reference{of}
	}
	out.Scope = of
	out.Scope.Namespace = r.Namespace
	for _, f := range r.Findings {
		if f.Severity.AtLeast(rules.Warning) {
			out.Results = append(out.Results, f.result())
		}
	}
	for i := range out.Results {
		maps.Copy(out.Results[i].Properties, map[string]string{"tier": string(r.Tier), "class": string(r.Class)})
		maps.DeleteFunc(out.Results[i].Properties, func(_, value string) bool { return value == "" })
		out.Summary.add(out.Results[i].Result)
	}
	out.Metadata.Annotations = map[string]string{policyKey: by.Digest.String()}
	if by.Bundle != "" {
		out.Metadata.Annotations[bundleKey] = by.Bundle
	}
	out.Metadata.Annotations[digestKey] = out.digest()
	return out
}

// reportName returns the name of the report about a release: always the same.
func reportName(release string) string {
	const longest = 253
	name := manager + "-" + release
	if len(name) > longest {
		sum := sha256.Sum256([]byte(release))
		name = strings.TrimRight(name[:longest-17], "-.") + "-" + hex.EncodeToString(sum[:8])
	}
	return name
}

func (r kubeReport) digest() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // texts and numbers only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func (o *outcomes) add(result string) {
	*map[string]*int{"pass": &o.Pass, "fail": &o.Fail, "warn": &o.Warn, "error": &o.Error, "skip": &o.Skip}[result]++
}

// health is the result that says how a release is. The message of the last failure is not
// in it: a chart may have put a value there, and more people read reports.
func (r Release) health() kubeResult {
	out := kubeResult{
		Source: manager, Policy: healthPolicy, Category: "health", Message: r.State,
		Properties: map[string]string{"phase": string(r.Phase), "reason": r.Reason, "since": r.Since, "limit": r.Limit, "revive": r.elsewhere, "risk": r.Risk},
	}
	if r.Failures > 0 {
		out.Properties["failures"] = fmt.Sprint(r.Failures)
	}
	switch r.Phase {
	case Ready:
		out.Result, out.Message = "pass", "Ready"
	case Stuck, Interrupted:
		out.Result, out.Severity = "fail", "high"
	case Failing, Waiting:
		out.Result, out.Severity = "warn", "medium"
	case Unknown:
		out.Result = "error"
	default:
		out.Result = "skip"
	}
	return out
}

// result is what a rule says of a release.
func (f Finding) result() kubeResult {
	out := kubeResult{
		Source: manager, Policy: f.Rule, Category: f.Category, Message: f.Message, Properties: map[string]string{"path": f.Path},
	}
	switch {
	case f.Waived != nil:
		out.Result, out.Properties["waived"] = "skip", cmp.Or(f.Waived.Reason, "yes")
	case f.Severity == rules.Error:
		out.Result, out.Severity = "fail", "high"
	default:
		out.Result, out.Severity = "warn", "medium"
	}
	return out
}

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
