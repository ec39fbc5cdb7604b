package policyreport

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// report is a report about one HelmRelease, as the API server takes it.
type report struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Metadata   metadata  `json:"metadata"`
	Source     string    `json:"source,omitempty"`
	Scope      reference `json:"scope"`
	Summary    outcomes  `json:"summary"`
	Results    []result  `json:"results"`
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

// result is what one rule says, or how the release is. It has no time, so that what
// stays is not written again.
type result struct {
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
func (k Kind) report(r overview.Release, by rules.InForce) report {
	of := reference{APIVersion: release.Group + "/v2", Kind: "HelmRelease", Name: r.Name.Name, UID: r.UID}
	out := report{
		APIVersion: k.Resource.Group + "/" + k.Resource.Version, Kind: k.Kind,
		Metadata: metadata{Name: reportName(r.Name.Name), Namespace: r.Namespace, Labels: map[string]string{managerLabel: manager}},
		Results:  []result{health(r)},
	}
	if k.Sourced {
		out.Source = manager
	}
	if r.UID != "" {
		out.Metadata.Owners = []reference{of}
	}
	out.Scope = of
	out.Scope.Namespace = r.Namespace
	for _, f := range r.Findings {
		if f.Severity.AtLeast(rules.Warning) {
			out.Results = append(out.Results, resultOf(f))
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

func (r report) digest() string {
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
func health(r overview.Release) result {
	out := result{
		Source: manager, Policy: healthPolicy, Category: "health", Message: r.State,
		Properties: map[string]string{"phase": string(r.Phase), "reason": r.Reason, "since": r.Since, "limit": r.Limit, "revive": r.Elsewhere, "risk": r.Risk},
	}
	if r.Failures > 0 {
		out.Properties["failures"] = fmt.Sprint(r.Failures)
	}
	switch r.Phase {
	case overview.Ready:
		out.Result, out.Message = "pass", "Ready"
	case overview.Stuck, overview.Interrupted:
		out.Result, out.Severity = "fail", "high"
	case overview.Failing, overview.Waiting:
		out.Result, out.Severity = "warn", "medium"
	case overview.Unknown:
		out.Result = "error"
	default:
		out.Result = "skip"
	}
	return out
}

// result is what a rule says of a release.
func resultOf(f overview.Finding) result {
	out := result{
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
