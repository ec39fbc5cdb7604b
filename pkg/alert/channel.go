package alert

import (
	"slices"
	"strings"
)

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
