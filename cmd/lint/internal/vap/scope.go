package vap

import (
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// condition is a condition on which a policy looks at a request.
type condition struct {
	Name       string `yaml:"name"`
	Expression string `yaml:"expression"`
}

// conditions leave out what must never be blocked. The first two are those of the
// webhook's registration.
func conditions(config rules.AdmissionConfig) []condition {
	out := []condition{
		{"not-being-deleted", "!has(object.metadata.deletionTimestamp)"},
		{"more-than-suspend-changed", `request.operation == 'CREATE' || has(object.spec) != has(oldObject.spec) || has(object.spec) && (
object.spec.exists(k, k != 'suspend' && (!(k in oldObject.spec) || object.spec[k] != oldObject.spec[k])) ||
oldObject.spec.exists(k, k != 'suspend' && !(k in object.spec))) ||
(has(oldObject.metadata.annotations) && oldObject.metadata.annotations.exists(k,
k.startsWith('waive.flux-remedy.io/') && (!has(object.metadata.annotations) ||
!(k in object.metadata.annotations) || object.metadata.annotations[k] != oldObject.metadata.annotations[k])))`},
	}
	if len(config.Exempt) > 0 {
		var any []string
		for _, e := range config.Exempt {
			any = append(any, exempts(e))
		}
		out = append(out, condition{"not-exempt", "!(" + strings.Join(any, " ||\n") + ")"})
	}
	return out
}

// exempts is whether an exemption of the configuration matches the request.
func exempts(e rules.Exemption) string {
	var who, where []string
	for _, glob := range e.Users {
		who = append(who, matching("request.userInfo.username", glob)...)
	}
	for _, glob := range e.ServiceAccounts {
		who = append(who, fmt.Sprintf("request.userInfo.username.startsWith('system:serviceaccount:') && request.userInfo.username.replace(':', '/').matches(%s)",
			quote("^system/serviceaccount/"+body(glob)+"$")))
	}
	for _, glob := range e.Groups {
		who = append(who, fmt.Sprintf("request.userInfo.?groups.orValue([]).exists(g, g.matches(%s))", quote(pattern(glob))))
	}
	for _, glob := range e.Namespaces {
		where = append(where, matching("request.namespace", glob)...)
	}
	var all []string
	for _, any := range [][]string{who, where} {
		if len(any) > 0 {
			all = append(all, "("+strings.Join(any, " || ")+")")
		}
	}
	return strings.Join(all, " && ")
}

// selector is the namespaces of a tier, as the webhook's registration selects them.
func selector(tier release.Tier) map[string]any {
	of := []any{map[string]any{"key": label, "operator": "In", "values": []string{string(tier)}}}
	if tier == release.Production {
		of = []any{
			map[string]any{"key": label, "operator": "Exists"},
			map[string]any{"key": label, "operator": "NotIn", "values": []string{string(release.Staging), string(release.Development)}},
		}
	}
	return map[string]any{"matchExpressions": append(of, map[string]any{
		"key": "kubernetes.io/metadata.name", "operator": "NotIn",
		"values": []string{"kube-system", "kube-public", "kube-node-lease", "flux-remedy"},
	})}
}

// label is the label of a namespace that says its tier.
const label = "flux-remedy.io/tier"
