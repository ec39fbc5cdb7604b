package render

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Release is a release as it is printed.
type Release struct {
	Cluster   string             `json:"cluster"`
	Namespace string             `json:"namespace"`
	Name      string             `json:"name"`
	Tier      release.Tier       `json:"tier"`
	TierFrom  string             `json:"tierFrom"`
	File      string             `json:"file"`
	Line      int                `json:"line"`
	AppliedBy []effective.Writer `json:"appliedBy"`
	DecidedBy []decision         `json:"decidedBy"`
	Unknown   map[string]string  `json:"unknown,omitempty"`
	Object    map[string]any     `json:"object"`
}

// decision is a failure setting and the place that decided it.
type decision struct {
	Path       release.Path       `json:"path"`
	Value      any                `json:"value"`
	File       string             `json:"file"`
	Line       int                `json:"line"`
	Column     int                `json:"column"`
	Exact      bool               `json:"exact"`
	Provenance []effective.Writer `json:"provenance,omitempty"`
}

// Of returns what is printed of a release. Without secrets it holds neither what
// Secrets supply nor what values are.
func Of(release *effective.Release, secrets bool) Release {
	out := whole(release)
	if secrets {
		return out
	}
	out = plain.Copy(out, release.Mask)
	for i, d := range out.DecidedBy {
		out.DecidedBy[i].Value = release.MaskValue(d.Value)
	}
	out.Object, _ = release.MaskValue(out.Object).(map[string]any)
	if spec, ok := out.Object["spec"].(map[string]any); ok && spec["values"] != nil {
		spec["values"] = hidden(spec["values"])
	}
	return out
}

// hidden returns a copy of a value with every scalar hidden.
func hidden(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key := range v {
			out[key] = hidden(v[key])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = hidden(v[i])
		}
		return out
	}
	return "(hidden)"
}

func whole(release *effective.Release) Release {
	out := Release{
		Cluster: release.Cluster, Namespace: release.Namespace, Name: release.Name,
		Tier: release.Tier, TierFrom: release.TierFrom, File: release.File, Line: release.Line,
		AppliedBy: append([]effective.Writer{}, release.AppliedBy...), DecidedBy: []decision{},
		Unknown: map[string]string{}, Object: release.Object,
	}
	for _, u := range release.Unknown {
		out.Unknown[u.Path.String()] = u.Reason
	}
	for _, d := range release.Decided() {
		out.DecidedBy = append(out.DecidedBy, decision{
			Path: d.Path, Value: d.Value, File: d.By.File, Line: d.By.Line, Column: d.By.Column,
			Exact: d.By.Exact, Provenance: d.By.SetBy,
		})
	}
	return out
}
