// Package admission decides on requests to create or update a HelmRelease. It knows no server, no
// file and no cluster: a decision depends on the request, the rules, their configuration and the day.
//
//	Decode -> Judge.Decide: exempt? -> verdict of the rules -> what the update inherits -> fix -> Response
package admission

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Judge is what a decision depends on besides the request and the day. It is immutable.
type Judge struct {
	Engine  *rules.Engine
	Config  *rules.Config
	Cluster string // empty if it is not known
	InForce rules.InForce
	// Sources identify the files of configuration and rules, and Version the program. Answers say them.
	Sources, Version string
}

// Place returns the place of the releases in a namespace.
func (j *Judge) Place(namespace string) rules.Place {
	return rules.Place{Namespace: namespace, Cluster: j.Cluster}
}

// Outcome is the kind of answer to a request.
type Outcome string

// The outcomes.
const (
	Exempt  Outcome = "exempt"  // allowed without being judged
	Allowed Outcome = "allowed" // judged, without findings of error or warning
	Warned  Outcome = "warned"  // allowed with warnings
	Denied  Outcome = "denied"
)

// Decision is the outcome of a request and the reasons for it.
type Decision struct {
	Outcome Outcome
	Tier    release.Tier
	// Why is the reason for an exemption, Exempted that the configuration grants it.
	Why      string
	Exempted bool

	Denied    []rules.Finding
	Warned    []rules.Finding
	Inherited []rules.Finding // errors that the replaced object had already
	Waived    []rules.Finding
	// Unknown are the fields of which this program does not know what they mean, and Open the
	// rules that cannot be checked because of them.
	Unknown []string
	Open    []string
	// Notes are for the user: waivers that cannot be read or use a former name of a rule, and
	// what else is to be mentioned in a warning.
	Notes []string

	judge   *Judge
	review  *Review
	release *release.Release // nil if exempt
	// expired are the expired waivers of the release, by rule, and lapsed those that
	// covered the replaced object.
	expired, lapsed map[string]rules.Waiver
	fix             fix
}

// Decide decides on a request in a tier on a day, and says how to repair what it denies. With an
// error there is no decision.
func (j *Judge) Decide(ctx context.Context, r *Review, tier release.Tier, now time.Time) (*Decision, error) {
	c := &hearing{Judge: j, Review: r, tier: tier, now: now}
	c.before = sync.OnceValues(func() (*replaced, error) { return c.replaced(ctx) })
	d, err := c.weigh(ctx)
	if err == nil && d.Outcome == Denied {
		d.fix = c.repair(ctx, d)
	}
	return d, err
}

// hearing is a request while it is decided.
type hearing struct {
	*Judge
	*Review
	tier release.Tier
	now  time.Time
	// before judges the replaced object, once.
	before func() (*replaced, error)
}

// weigh judges the object of the request.
func (c *hearing) weigh(ctx context.Context) (*Decision, error) {
	d := &Decision{Tier: c.tier, judge: c.Judge, review: c.Review}
	mode := c.Config.Enforcement(c.tier)
	if d.Why = exemption(c.Review); d.Why == "" && mode == rules.EnforceOff {
		d.Why = "enforcement is off in " + string(c.tier)
	}
	if e, ok := c.Config.Exempts(rules.Requester{User: c.UserInfo.Username, Groups: c.UserInfo.Groups}, c.Namespace); d.Why == "" && ok {
		d.Why, d.Exempted = "exempt by the configuration: "+e.Reason, true
	}
	if d.Why == "" && newer(c.Object) {
		d.Why, d.Unknown = fmt.Sprintf("its API version %v is not known to remedy-webhook %s", c.Object["apiVersion"], c.Version), []string{"apiVersion"}
	}
	if d.Why != "" {
		d.Outcome = Exempt
		return d, nil
	}
	verdict, err := c.verdict(ctx, d)
	if err != nil {
		return nil, err
	}
	d.sort(verdict.Findings, mode)
	if len(d.Denied) > 0 && c.Old != nil {
		if err := c.inherit(ctx, d); err != nil {
			return nil, err
		}
	}
	d.conclude()
	d.mention(verdict, c.now)
	return d, nil
}

// verdict evaluates the object of the request, as an update if there is an old one.
func (c *hearing) verdict(ctx context.Context, d *Decision) (rules.Verdict, error) {
	release, err := c.decode(c.Object)
	if err != nil {
		return rules.Verdict{}, err
	}
	if c.Old != nil {
		release.Replaces(current(c.Old))
	}
	d.release = release
	verdict, err := c.Engine.Evaluate(ctx, release, c.now)
	for _, path := range release.Unfamiliar {
		d.Unknown = append(d.Unknown, path.String())
	}
	for _, u := range release.Unknown {
		if u.Before {
			d.Unknown = append(d.Unknown, "oldObject."+u.Path.String())
		}
	}
	for _, open := range verdict.Open {
		if open.Severity.AtLeast(rules.Warning) {
			d.Open = append(d.Open, open.Rule)
		}
	}
	return verdict, err
}

// decode decodes an object of the request as a release. A suspended one is judged as it will be
// once it is resumed: that is no cover for what is worse, and a resume is exempt.
func (c *hearing) decode(object map[string]any) (*release.Release, error) {
	release, err := release.DecodeAdmitted(resumed(current(object)), c.Config.ControllerAt(c.Place(c.Namespace), release.Controller{}))
	if err != nil {
		return nil, err
	}
	release.Tier, release.Namespace = c.tier, c.Namespace
	return release, nil
}

// current returns an object in the version that controllers work on. The API server
// has just served an older one, so nothing is wrong with it.
func current(object map[string]any) map[string]any {
	group, version, _ := strings.Cut(fmt.Sprint(object["apiVersion"]), "/")
	if group != release.Group || !slices.Contains(release.Versions[1:], version) {
		return object
	}
	object = maps.Clone(object)
	object["apiVersion"] = release.Group + "/" + release.Versions[0]
	return object
}

// newer reports whether an object is a HelmRelease of a version that is not known here. The
// API server knows it, so that it passes.
func newer(object map[string]any) bool {
	group, version, _ := strings.Cut(fmt.Sprint(object["apiVersion"]), "/")
	return group == release.Group && object["kind"] == "HelmRelease" && !slices.Contains(release.Versions, version)
}

// sort distributes the findings by waiver, severity and enforcement. Those of severity
// info are dropped: they are for reports.
func (d *Decision) sort(findings []rules.Finding, mode rules.Enforcement) {
	for _, finding := range findings {
		switch {
		case finding.Waiver != nil:
			d.Waived = append(d.Waived, finding)
		case finding.Severity == rules.Error && mode == rules.EnforceDeny:
			d.Denied = append(d.Denied, finding)
		case finding.Severity.AtLeast(rules.Warning):
			d.Warned = append(d.Warned, finding)
		}
	}
}

func (d *Decision) conclude() {
	switch {
	case len(d.Denied) > 0:
		d.Outcome = Denied
	case len(d.Warned)+len(d.Inherited) > 0:
		d.Outcome = Warned
	default:
		d.Outcome = Allowed
	}
}

// mention collects the waivers that are expired, cannot be read, or use a former name
// of a rule.
func (d *Decision) mention(verdict rules.Verdict, now time.Time) {
	engine := d.judge.Engine
	for _, err := range verdict.WaiverErrors {
		d.Notes = append(d.Notes, err.Error())
	}
	d.expired = map[string]rules.Waiver{}
	for _, waiver := range verdict.Waivers {
		if renamed := engine.Renamed(waiver.Rule); renamed != "" && len(waiver.Path) > 0 {
			d.Notes = append(d.Notes, waiver.Path.String()+": "+renamed)
		}
		if len(waiver.Path) > 0 && len(engine.Named(waiver.Rule)) == 0 {
			name := cut(waiver.Rule, maxRule)
			d.Notes = append(d.Notes, fmt.Sprintf("%s accepts nothing: there is no rule %s%s", waiver.Path, name, rules.DidYouMean(name, engine.IDs())))
		}
		if waiver.Expired(now) {
			for _, rule := range engine.Named(waiver.Rule) {
				d.expired[rule.ID] = waiver
			}
		}
	}
}

// Operation returns what was asked for.
func (d *Decision) Operation() admissionv1.Operation { return d.review.Operation }
