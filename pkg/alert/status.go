package alert

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Status is a commit status that a Kustomization reports to.
type Status struct {
	// Provider is namespace/name, Address its repository.
	Provider, Address string
	// Expr is spec.commitStatusExpr; empty if the default names the status.
	Expr string
	// Name is equal for two statuses only if they are the same one: in the cluster if
	// Expr is empty, in all clusters otherwise.
	Name string
}

// Statuses returns the commit statuses of a Kustomization. Those whose name is not known
// are left out.
func (c *Cluster) Statuses(kustomization map[string]any) []Status {
	s := Subject{Kind: "Kustomization", Namespace: meta(kustomization, "namespace"), Name: meta(kustomization, "name"), Labels: Labels(kustomization)}
	var all []Status
	for i := range c.alerts {
		a := &c.alerts[i]
		p, name, _ := c.provider(a)
		if c.misses(a, s) != "" || !slices.Contains(gitTypes, p.Type) {
			continue
		}
		status := Status{Provider: name, Address: p.Address, Expr: p.CommitStatusExpr}
		if p.CommitStatusExpr == "" { // kind/name/ and the first part of the Provider's UID
			status.Name = strings.ToLower(s.Kind + "/" + s.Name)
		} else if status.Name = named(p, a, kustomization); status.Name == "" {
			continue
		}
		all = append(all, status)
	}
	return all
}

// Labels returns the labels of an object.
func Labels(object map[string]any) map[string]string {
	m, _ := object["metadata"].(map[string]any)
	labels, _ := m["labels"].(map[string]any)
	out := map[string]string{}
	for key, value := range labels {
		out[key], _ = value.(string)
	}
	return out
}

// inputs are the places of a CEL expression that read something.
var inputs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(event|provider|alert)\b((?:\.\w+\b|\[\s*(?:'[^']*'|"[^"]*")\s*\])*)(\s*\()?`)
})

var step = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.(\w+)|\['([^']*)'\]|\["([^"]*)"\]`) })

// named returns a text that is equal for two expressions only if they give the same: the
// expression, and what it reads. It is empty if something is read that only the cluster
// knows.
func named(p provider, a *alert, kustomization map[string]any) string {
	from := map[string]any{"provider": p.object, "alert": a.object, "event": event(a, kustomization)}
	text := []any{p.CommitStatusExpr}
	for _, m := range inputs().FindAllStringSubmatch(p.CommitStatusExpr, -1) {
		path := []string{}
		for _, key := range step().FindAllStringSubmatch(m[2], -1) {
			path = append(path, key[1]+key[2]+key[3])
		}
		if m[3] != "" && len(path) > 0 { // a method, no field
			path = path[:len(path)-1]
		}
		if !static(m[1], path) {
			return ""
		}
		text = append(text, at(from[m[1]], path))
	}
	raw, err := json.Marshal(text)
	if err != nil {
		return ""
	}
	return string(raw)
}

func event(a *alert, kustomization map[string]any) map[string]any {
	metadata := map[string]any{}
	m, _ := kustomization["metadata"].(map[string]any)
	annotations, _ := m["annotations"].(map[string]any)
	for key, value := range annotations {
		if name, ok := strings.CutPrefix(key, "event.toolkit.fluxcd.io/"); ok {
			metadata[name] = value
		}
	}
	for key, value := range a.EventMetadata {
		metadata[key] = value
	}
	return map[string]any{"metadata": metadata, "involvedObject": map[string]any{
		"kind": "Kustomization", "namespace": meta(kustomization, "namespace"), "name": meta(kustomization, "name"),
	}}
}

// static reports whether a path is one whose value the manifests say.
func static(root string, path []string) bool {
	if len(path) < 2 {
		return false
	}
	if root == "event" {
		return path[0] == "involvedObject" && slices.Contains([]string{"kind", "namespace", "name"}, path[1]) || path[0] == "metadata"
	}
	return path[0] == "spec" || path[0] == "metadata" && slices.Contains([]string{"namespace", "name", "labels", "annotations"}, path[1])
}

// at returns the value at a path; nil if there is none.
func at(v any, path []string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// Channel is where an Alert sends what fails.
type Channel struct {
	// Alert and Provider are namespace/name; Type is that of the Provider.
	Alert, Provider, Type string
	// Pages reports whether the type is one that wakes people.
	Pages bool
	// Address is what other clusters know the channel by; empty if that is not known.
	Address string
}

// paging are the types of Providers that wake people.
var paging = []string{"pagerduty", "opsgenie"}

// Channels returns where Alerts send the failures of an object, by Alert.
func (c *Cluster) Channels(s Subject) []Channel {
	var all []Channel
	for i := range c.alerts {
		a := &c.alerts[i]
		if c.misses(a, s) != "" {
			continue
		}
		p, name, _ := c.provider(a)
		all = append(all, Channel{
			Alert: a.fullName(), Provider: name, Type: p.Type, Pages: slices.Contains(paging, p.Type), Address: p.known(),
		})
	}
	return all
}

// known returns what tells a channel from others in any cluster; empty if a Secret has
// it, or if it is one of the cluster itself.
func (p *provider) known() string {
	host := strings.TrimPrefix(strings.TrimPrefix(p.Address, "https://"), "http://")
	host, _, _ = strings.Cut(host, "/")
	host, _, _ = strings.Cut(host, ":")
	if p.Address == "" || !strings.Contains(host, ".") || strings.HasSuffix(host, ".svc") || strings.Contains(host, ".svc.") {
		return ""
	}
	return strings.Join([]string{p.Type, p.Address, p.Channel}, " ")
}
