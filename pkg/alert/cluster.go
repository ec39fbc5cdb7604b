package alert

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Cluster is what the Alerts and Providers of a cluster say.
type Cluster struct {
	alerts    []alert
	providers map[string]provider // by namespace/name
	// sameNamespace is true if Alerts reach only objects of their own namespace.
	sameNamespace bool
	unclear       []map[string]any
}

// alert and provider are objects, and what is read of them.
type alert struct {
	namespace, name string
	alertSpec
	// including and excluding are what is valid of the lists.
	including, excluding []*regexp.Regexp
	object               map[string]any
}

type provider struct {
	providerSpec
	object map[string]any
}

// Read returns what the Alerts and Providers among some objects say. sameNamespace is the
// flag --no-cross-namespace-refs of notification-controller.
func Read(objects []map[string]any, sameNamespace bool) *Cluster {
	c := &Cluster{providers: map[string]provider{}, sameNamespace: sameNamespace}
	for _, object := range objects {
		apiVersion, _ := object["apiVersion"].(string)
		if !strings.HasPrefix(apiVersion, Group+"/") {
			continue
		}
		switch object["kind"] {
		case "Alert":
			c.addAlert(object)
		case "Provider":
			c.addProvider(object)
		}
	}
	slices.SortFunc(c.alerts, func(a, b alert) int { return strings.Compare(a.fullName(), b.fullName()) })
	return c
}

func (c *Cluster) addAlert(object map[string]any) {
	a := alert{object: object}
	a.namespace, a.name = meta(object, "namespace"), meta(object, "name")
	if !c.decode(object, &a.alertSpec) {
		return
	}
	for i := range a.EventSources {
		if a.EventSources[i].Namespace == "" {
			a.EventSources[i].Namespace = a.namespace
		}
	}
	a.including, a.excluding = valid(a.InclusionList), valid(a.ExclusionList)
	c.alerts = append(c.alerts, a)
}

// valid returns the expressions of a list that are valid: the others match nothing.
func valid(list []string) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, text := range list {
		if exp, err := regexp.Compile(text); err == nil {
			out = append(out, exp)
		}
	}
	return out
}

func (c *Cluster) addProvider(object map[string]any) {
	p := provider{object: object}
	if c.decode(object, &p.providerSpec) {
		c.providers[meta(object, "namespace")+"/"+meta(object, "name")] = p
	}
}

// decode reads the spec of an object. What cannot be read, and what has a variable that is
// not known, may be anything.
func (c *Cluster) decode(object map[string]any, spec any) bool {
	raw, err := json.Marshal(object["spec"])
	if err != nil || json.Unmarshal(raw, spec) != nil || strings.Contains(string(raw), "${") || strings.Contains(meta(object, "namespace")+meta(object, "name"), "${") {
		c.unclear = append(c.unclear, object)
		return false
	}
	return true
}

func (a *alert) fullName() string { return a.namespace + "/" + a.name }

func (c *Cluster) provider(a *alert) (p provider, name string, found bool) {
	name = a.namespace + "/" + a.ProviderRef.Name
	p, found = c.providers[name]
	return p, name, found
}

// meta returns a text field of an object's metadata.
func meta(object map[string]any, field string) string {
	m, _ := object["metadata"].(map[string]any)
	text, _ := m[field].(string)
	return text
}
