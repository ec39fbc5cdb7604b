package alert

import (
	"regexp"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Subject is an object whose failures Alerts may tell of.
type Subject struct {
	Kind, Namespace, Name string
	Labels                map[string]string
	// Message begins that of its failures, as far as it is known; empty if it is not.
	Message string
}

// Told reports whether an Alert tells of the failures of a HelmRelease. subjects are the
// release itself and then the Kustomizations that fail with it, since they wait for it. If
// none does, missed is the Alert that comes nearest; nil without one.
func (c *Cluster) Told(subjects []Subject) (told bool, missed *release.MissedAlert) {
	for i, s := range subjects {
		for j := range c.alerts {
			because := c.misses(&c.alerts[j], s)
			if because == "" {
				return true, nil
			}
			if i == 0 {
				missed = nearer(missed, c.missed(&c.alerts[j], s, because))
			}
		}
	}
	return false, missed
}

// Unclear returns the Alerts and Providers that cannot be read, or have a variable that is
// not known: they may tell of anything.
func (c *Cluster) Unclear() []map[string]any { return c.unclear }

// misses returns why an Alert does not tell of the failures of an object; empty if it
// does.
func (c *Cluster) misses(a *alert, s Subject) string {
	p, _, found := c.provider(a)
	switch selected := a.selects(s); {
	case selected != "":
		return selected
	case a.Suspend:
		return "suspended"
	case c.sameNamespace && a.namespace != s.Namespace:
		return "locked"
	case a.excludes(s.Message):
		return "excluded"
	case !a.includes(s.Message):
		return "not-included"
	case !found:
		return "no-provider"
	case p.Suspend:
		return "provider-suspended"
	case slices.Contains(changeRequests, p.Type), slices.Contains(gitTypes, p.Type) && s.Kind == "HelmRelease":
		return "commits-only"
	}
	return ""
}

// gitTypes are the types of Providers that write commit statuses. The revision of a
// HelmRelease is that of its chart, which is no commit. changeRequests comment on the pull
// request that an annotation names.
var (
	gitTypes       = []string{"github", "gitlab", "gitea", "bitbucketserver", "bitbucket", "azuredevops"}
	changeRequests = []string{"githubpullrequestcomment", "gitlabmergerequestcomment", "giteapullrequestcomment"}
)

// selects returns why no event source of an Alert matches an object, by the one that comes
// nearest: "labels", "name", "namespace" or "kind"; empty if one matches.
func (a *alert) selects(s Subject) string {
	best := "kind"
	for _, source := range a.EventSources {
		switch {
		case source.Kind != s.Kind:
		case source.Namespace != s.Namespace:
			best = closest(best, "namespace")
		case source.Name != "*" && source.Name != s.Name:
			best = closest(best, "name")
		case !source.matches(s.Labels):
			best = closest(best, "labels")
		default:
			return ""
		}
	}
	return best
}

func (e *eventSource) matches(labels map[string]string) bool {
	for key, value := range e.MatchLabels {
		if got, ok := labels[key]; !ok || got != value {
			return false
		}
	}
	return true
}

// includes reports whether an Alert takes all messages with a beginning. One that takes only
// some of them, by what they end with, does not.
func (a *alert) includes(beginning string) bool {
	return beginning == "" || len(a.InclusionList) == 0 || matched(a.including, beginning)
}

// excludes reports whether an Alert drops all messages with a beginning.
func (a *alert) excludes(beginning string) bool {
	return beginning != "" && matched(a.excluding, beginning)
}

func matched(list []*regexp.Regexp, text string) bool {
	return slices.ContainsFunc(list, func(exp *regexp.Regexp) bool { return exp.MatchString(text) })
}

// nearness are the reasons why an Alert does not tell of an object, the nearest to telling
// first.
var nearness = []string{
	"suspended", "provider-suspended", "no-provider", "commits-only", "excluded", "not-included", "locked", "labels", "name", "namespace", "kind",
}

// closest returns the one of two reasons that is nearer to telling.
func closest(a, b string) string {
	if slices.Index(nearness, b) < slices.Index(nearness, a) {
		return b
	}
	return a
}

// missed describes an Alert that does not tell of a HelmRelease.
func (c *Cluster) missed(a *alert, s Subject, because string) *release.MissedAlert {
	_, provider, _ := c.provider(a)
	m := &release.MissedAlert{Alert: a.fullName(), Provider: provider, Because: because, Namespaces: []string{}}
	for _, source := range a.EventSources {
		if source.Kind == s.Kind && !slices.Contains(m.Namespaces, source.Namespace) {
			m.Namespaces = append(m.Namespaces, source.Namespace)
		}
	}
	return m
}

// nearer returns the one of two Alerts that is nearer to telling; the first if both are.
func nearer(a, b *release.MissedAlert) *release.MissedAlert {
	if a == nil || b != nil && a.Because != b.Because && closest(a.Because, b.Because) == b.Because {
		return b
	}
	return a
}

// Group is the API group of Alerts and Providers.
const Group = "notification.toolkit.fluxcd.io"

// alertSpec and providerSpec are the fields of both that decide who is told, as
// notification-controller's API has them. A test in hack holds them to its types.
type alertSpec struct {
	ProviderRef struct {
		Name string `json:"name"`
	} `json:"providerRef"`
	EventSources  []eventSource     `json:"eventSources"`
	InclusionList []string          `json:"inclusionList"`
	ExclusionList []string          `json:"exclusionList"`
	EventMetadata map[string]string `json:"eventMetadata"`
	Suspend       bool              `json:"suspend"`
}

type eventSource struct {
	Kind        string            `json:"kind"`
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace"`
	MatchLabels map[string]string `json:"matchLabels"`
}

type providerSpec struct {
	Type             string `json:"type"`
	Channel          string `json:"channel"`
	Address          string `json:"address"`
	Suspend          bool   `json:"suspend"`
	CommitStatusExpr string `json:"commitStatusExpr"`
}

// Specs returns the fields that are read of an Alert and of a Provider, for the test that
// compares them with the API.
func Specs() (alertFields, providerFields any) { return alertSpec{}, providerSpec{} }
