package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Exemption names requests that the webhook does not judge. At least one of users,
// groups and serviceAccounts must match if any is given, and a namespace if namespaces
// are.
type Exemption struct {
	// Users are globs of user names.
	Users []string `json:"users,omitempty"`
	// Groups are globs of groups.
	Groups []string `json:"groups,omitempty"`
	// ServiceAccounts are globs of NAMESPACE/NAME.
	ServiceAccounts []string `json:"serviceAccounts,omitempty"`
	// Namespaces are globs of the release's namespace.
	Namespaces []string `json:"namespaces,omitempty"`
	// Reason says why; it is in the audit log of each request that is let pass.
	Reason string `json:"reason"`
}

// Requester is who sends a request.
type Requester struct {
	User   string
	Groups []string
}

// serviceAccount returns NAMESPACE/NAME; empty for a user that is none.
func (r Requester) serviceAccount() string {
	name, ok := strings.CutPrefix(r.User, "system:serviceaccount:")
	if !ok {
		return ""
	}
	return strings.Replace(name, ":", "/", 1)
}

// Exempts returns the first entry of spec.admission.exempt that a request matches, and
// whether there is one.
func (c *Config) Exempts(r Requester, namespace string) (Exemption, bool) {
	at := slices.IndexFunc(c.Spec.Admission.Exempt, func(e Exemption) bool { return e.matches(r, namespace) })
	if at < 0 {
		return Exemption{}, false
	}
	return c.Spec.Admission.Exempt[at], true
}

func (e Exemption) matches(r Requester, namespace string) bool {
	anybody := len(e.Users)+len(e.Groups)+len(e.ServiceAccounts) == 0
	group := func(g string) bool { return matchAny(e.Groups, g) }
	who := anybody || matchAny(e.Users, r.User) || matchAny(e.ServiceAccounts, r.serviceAccount()) || slices.ContainsFunc(r.Groups, group)
	return who && (len(e.Namespaces) == 0 || matchAny(e.Namespaces, namespace))
}

// matchesAll reports whether an exemption that names something leaves nothing, or nothing of
// Flux, to be judged.
func (e Exemption) matchesAll() bool {
	all := func(globs []string, more ...string) bool {
		return slices.ContainsFunc(globs, func(g string) bool { return strings.Trim(g, "*/") == "" || slices.Contains(more, g) })
	}
	anybody := len(e.Users)+len(e.Groups)+len(e.ServiceAccounts) == 0
	who := all(e.Users) || all(e.Groups, "system:authenticated", "system:serviceaccounts") || all(e.ServiceAccounts)
	return (who || anybody && len(e.Namespaces) > 0) && (len(e.Namespaces) == 0 || all(e.Namespaces))
}

func (e Exemption) validate() error {
	var errs []error
	if len(e.Users)+len(e.Groups)+len(e.ServiceAccounts)+len(e.Namespaces) == 0 {
		errs = append(errs, errors.New("matches everything: give users, groups, serviceAccounts or namespaces"))
	}
	if e.matchesAll() {
		errs = append(errs, errors.New("matches all requests, or all of Flux's: name the users, groups, serviceAccounts or namespaces"))
	}
	for _, glob := range e.ServiceAccounts {
		if !strings.Contains(glob, "/") && !strings.Contains(glob, "**") {
			errs = append(errs, fmt.Errorf("serviceAccounts: %q matches none: want NAMESPACE/NAME, as flux-system/%s", glob, glob))
		}
	}
	if strings.TrimSpace(e.Reason) == "" {
		errs = append(errs, errors.New("reason is missing"))
	}
	return errors.Join(append(errs, validGlobs(e.Users, e.Groups, e.ServiceAccounts, e.Namespaces))...)
}
