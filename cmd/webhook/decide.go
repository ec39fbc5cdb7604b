package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// outcome is the kind of answer to a request.
type outcome string

const (
	exempt  outcome = "exempt"  // allowed without being judged
	allowed outcome = "allowed" // judged, without findings of error or warning
	warned  outcome = "warned"  // allowed with warnings
	denied  outcome = "denied"
)

// decision is the outcome of a request and the reasons for it.
type decision struct {
	outcome   outcome
	operation admissionv1.Operation
	tier      release.Tier
	digests   digests
	inForce   rules.InForce
	release   *release.Release // nil if exempt
	// why is the reason for an exemption, exempted that the configuration grants it.
	why      string
	exempted bool
	user     string
	mode     rules.Enforcement
	silent   bool // no warnings: the tier is only audited

	denied    []rules.Finding
	warned    []rules.Finding
	inherited []rules.Finding // errors that the replaced object had already
	waived    []rules.Finding
	// expired are the expired waivers of the release, by rule, and lapsed those that
	// covered the replaced object.
	expired, lapsed map[string]rules.Waiver
	notes           []string // waivers that cannot be read or use a former name of a rule
	// unknown are the fields of which this program does not know what they mean, and open the
	// rules that cannot be checked because of them.
	unknown []string
	open    []string
	// annotations reports whether an annotation may waive a rule.
	annotations bool
	fix         fix
	help        []string // what to do about what no fix repairs, a sentence for each rule
	texts       *texts
	// names are those of the release that the decision may depend on.
	names rules.NameSet
}

// decide judges a request in a tier, and says how to repair what it denies. With an error
// there is no decision.
func (p *ruleset) decide(ctx context.Context, r *review, tier release.Tier, now time.Time) (*decision, error) {
	d, err := p.weigh(ctx, r, tier, now)
	if err == nil && d.outcome == denied {
		d.fix = p.repair(ctx, d, r, now)
		d.names |= d.fix.names
		d.help = p.help(d)
		d.annotations = p.config.Spec.Waivers.Annotations[tier] != "forbid"
	}
	return d, err
}

// help returns what to do about the faults that the fix does not repair, once for each rule.
func (p *ruleset) help(d *decision) (out []string) {
	left := d.fix.but
	if d.fix.text() == "" {
		left = ids(d.denied)
	}
	for _, id := range left {
		if rule, _ := p.engine.Rule(id); rule.Help != "" {
			out = append(out, fmt.Sprintf("%s [%s]", rule.Help, id))
		}
	}
	return out
}

// weigh judges a request in a tier.
func (p *ruleset) weigh(ctx context.Context, r *review, tier release.Tier, now time.Time) (*decision, error) {
	d := &decision{tier: tier, operation: r.Operation, digests: p.digests, inForce: p.inForce, texts: p.texts, names: p.config.Names()}
	mode := p.config.Enforcement(tier)
	d.user, d.mode, d.silent = r.UserInfo.Username, mode, mode == rules.EnforceAudit
	if d.why = exemption(r); d.why == "" && mode == rules.EnforceOff {
		d.why = "enforcement is off in " + string(tier)
	}
	if e, ok := p.config.Exempts(rules.Requester{User: d.user, Groups: r.UserInfo.Groups}, r.Namespace); d.why == "" && ok {
		d.why, d.exempted = "exempt by the configuration: "+e.Reason, true
	}
	if d.why == "" && newer(r.Object) {
		d.why, d.unknown = fmt.Sprintf("its API version %v is not known to remedy-webhook %s", r.Object["apiVersion"], version), []string{"apiVersion"}
	}
	if d.why != "" {
		d.outcome = exempt
		return d, nil
	}
	verdict, err := p.judge(ctx, d, r, now)
	if err != nil {
		return nil, err
	}
	d.names |= verdict.Names
	d.sort(verdict.Findings, mode)
	if len(d.denied) > 0 && r.Old != nil {
		if err := p.inherit(ctx, d, r, now); err != nil {
			return nil, err
		}
	}
	d.conclude()
	p.mention(d, verdict, now)
	return d, nil
}

// judge evaluates the object of the request, as an update if there is an old one.
func (p *ruleset) judge(ctx context.Context, d *decision, r *review, now time.Time) (rules.Verdict, error) {
	release, err := p.release(r.Object, d.tier, r.Namespace)
	if err != nil {
		return rules.Verdict{}, err
	}
	if r.Old != nil {
		release.Old = current(r.Old)
	}
	d.release = release
	verdict, err := p.engine.Evaluate(ctx, release, now)
	for _, path := range release.Unfamiliar {
		d.unknown = append(d.unknown, path.String())
	}
	for _, open := range verdict.Open {
		if open.Severity.AtLeast(rules.Warning) {
			d.open = append(d.open, open.Rule)
		}
	}
	return verdict, err
}

// release decodes an object of the request as a release in a tier and a namespace. A
// suspended one is judged as it will be once it is resumed: that is no cover for what
// is worse, and a resume is exempt.
func (p *ruleset) release(object map[string]any, tier release.Tier, namespace string) (*release.Release, error) {
	release, err := release.DecodeAdmitted(resumed(current(object)), p.config.ControllerAt(p.place(namespace), release.Controller{}))
	if err != nil {
		return nil, err
	}
	release.Tier, release.Namespace = tier, namespace
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
func (d *decision) sort(findings []rules.Finding, mode rules.Enforcement) {
	for _, finding := range findings {
		switch {
		case finding.Waiver != nil:
			d.waived = append(d.waived, finding)
		case finding.Severity == rules.Error && mode == rules.EnforceDeny:
			d.denied = append(d.denied, finding)
		case finding.Severity.AtLeast(rules.Warning):
			d.warned = append(d.warned, finding)
		}
	}
}

func (d *decision) conclude() {
	switch {
	case len(d.denied) > 0:
		d.outcome = denied
	case len(d.warned)+len(d.inherited) > 0:
		d.outcome = warned
	default:
		d.outcome = allowed
	}
}

// mention collects the waivers that are expired, cannot be read, or use a former name
// of a rule.
func (p *ruleset) mention(d *decision, verdict rules.Verdict, now time.Time) {
	for _, err := range verdict.WaiverErrors {
		d.notes = append(d.notes, err.Error())
	}
	d.expired = map[string]rules.Waiver{}
	for _, waiver := range verdict.Waivers {
		if renamed := p.engine.Renamed(waiver.Rule); renamed != "" && len(waiver.Path) > 0 {
			d.notes = append(d.notes, waiver.Path.String()+": "+renamed)
		}
		if len(waiver.Path) > 0 && len(p.engine.Named(waiver.Rule)) == 0 {
			d.notes = append(d.notes, fmt.Sprintf("%s accepts nothing: there is no rule %s%s", waiver.Path, cut(waiver.Rule, maxRule), rules.DidYouMean(cut(waiver.Rule, maxRule), p.engine.IDs())))
		}
		if waiver.Expired(now) {
			for _, rule := range p.engine.Named(waiver.Rule) {
				d.expired[rule.ID] = waiver
			}
		}
	}
}
