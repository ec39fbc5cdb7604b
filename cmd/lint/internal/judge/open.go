package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// open is what one reason leaves open of a release.
type open struct {
	reason   string
	fields   []string
	class    bool
	rules    []string
	severity rules.Severity // the worst of the rules
}

// addOpen lists what is open of each release, once for each reason.
func (s *State) addOpen() {
	for _, r := range s.Releases {
		for _, o := range r.opens() {
			s.Tree.Undetermine(r.Release, r.undetermined(o))
		}
		if r.Resumed == nil {
			continue
		}
		for _, o := range r.Resumed.opens() {
			if len(o.rules) > 0 {
				s.Tree.UndetermineResumed(r.Release, r.undetermined(o))
			}
		}
	}
	s.Tree.Settle()
}

func (r Release) undetermined(o *open) release.Undetermined {
	u := release.Undetermined{Reason: r.Mask(o.String()), Rules: strings.Join(o.rules, ", ")}
	if !o.class {
		u.Severity = string(o.severity)
	}
	if r.Alerting != nil && o.reason == r.Alerting.Open {
		u.Advice = r.Alerting.Unclear
	}
	return u
}

// opens groups what is open of a release by the reason.
func (r Release) opens() []*open {
	var out []*open
	of := func(u release.Unknown) *open {
		i := slices.IndexFunc(out, func(o *open) bool { return o.reason == u.Reason })
		if i < 0 {
			i = len(out)
			out = append(out, &open{reason: u.Reason, severity: rules.Info})
		}
		if at := u.Path.String(); at != "" && !slices.Contains(out[i].fields, at) {
			out[i].fields = append(out[i].fields, at)
		}
		return out[i]
	}
	for _, u := range r.Verdict.ClassOpen {
		of(u).class = true
	}
	newer, _ := r.Newer()
	for _, u := range newer {
		of(u)
	}
	for _, rule := range r.Verdict.Open {
		for _, u := range rule.Fields {
			of(u).add(rule)
		}
	}
	return out
}

func (o *open) add(rule rules.Open) {
	if slices.Contains(o.rules, rule.Rule) {
		return
	}
	o.rules = append(o.rules, rule.Rule)
	if rule.Severity.AtLeast(o.severity) {
		o.severity = rule.Severity
	}
}

// plurals are of the verbs with which reasons begin.
var plurals = map[string]string{"depends": "depend", "is": "are", "has": "have"}

// String says which fields are not known and why, and what could not be judged.
func (o *open) String() string {
	const most = 3
	fields := o.fields
	if len(fields) > most {
		fields = append(slices.Clone(fields[:most]), fmt.Sprintf("%d more fields", len(fields)-most))
	}
	reason := o.reason
	if verb, rest, _ := strings.Cut(reason, " "); len(fields) > 1 && plurals[verb] != "" {
		reason = plurals[verb] + " " + rest
	}
	text := strings.TrimPrefix(strings.Join(fields, ", ")+" "+reason, " ")
	if o.class || len(o.rules) == 0 {
		return text
	}
	names := o.rules
	if len(names) > most+2 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", len(names)-most))
	}
	return text + "; not checked: " + strings.Join(names, ", ")
}

// openRules lists the rules that could not be checked.
func (r Release) openRules() []string {
	var out []string
	for _, o := range r.Verdict.Open {
		out = append(out, o.Rule)
	}
	return out
}
