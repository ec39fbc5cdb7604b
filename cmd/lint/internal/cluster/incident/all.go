package incident

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/loss"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Source says how a release is judged.
type Source struct {
	// Engine judges under Config.
	Engine *rules.Engine
	Config *rules.Config
	// Written returns the release as a repository has it, and where a finding is to
	// be mended there; nil if there is no repository.
	Written func(release.Name) *Written
	// TierOf returns the tier of what no repository has; nil means production, since
	// somebody was woken.
	TierOf func(object map[string]any) release.Tier
	// Recorded returns what a release consists of by Helm's record of it; nil if records are not read.
	Recorded func(*release.Release, *release.Live) (*loss.Release, error)
	// Cluster is the name of the one that is read; empty if it is not known.
	Cluster string
	// Controller is what runs there; the zero value if it is not known.
	Controller release.Controller
	// Address is where commands find that cluster.
	Address Address
	// Beside are HelmReleases of the cluster that are not asked about, and may have the same Helm
	// release as one that is.
	Beside []map[string]any
	// Around are the Kustomizations and HelmReleases of the cluster, by which it is known what holds up what;
	// nil if they are not read, and Unlisted says why.
	Around   *standstill.Cluster
	Unlisted error
	Now      time.Time
}

// Judged is a release on a cluster with all that is said of it.
type Judged struct {
	*release.Release
	Live     *release.Live
	Verdict  rules.Verdict
	Incident Incident
	Address  Address
}

// Command returns the commands of a way for the release, on its cluster.
func (j Judged) Command(do string) string { return j.Address.Command(do, j.Release) }

// Under returns how releases are judged now under a configuration.
func Under(engine *rules.Engine, config judge.Configuration, now time.Time) (*Source, error) {
	under, err := engine.Under(config.Config)
	if err != nil {
		return nil, fmt.Errorf("check configuration %s: %w", config.File, err)
	}
	return &Source{Engine: under, Config: config.Config, Now: now}, nil
}

// On says of which cluster the releases are, and by which Deployment its helm-controller
// runs; nil if that is not known.
func (s *Source) On(cluster string, deployment map[string]any) {
	s.Cluster = cluster
	s.Controller, _ = controllers.ControllerOf(deployment)
}

// All says of each object what is wrong. The error is about those that cannot be read;
// the others are told of all the same.
func (s Source) All(ctx context.Context, objects []map[string]any) ([]Incident, error) {
	judged, errs := []Judged{}, []error{}
	for _, object := range objects {
		if one, err := s.Judge(ctx, object); err != nil {
			errs = append(errs, err)
		} else {
			judged = append(judged, one)
		}
	}
	all, rivals := []Incident{}, Rivals(s.claims(judged))
	for _, one := range judged {
		one.Incident.Rivals = rivals[one.Incident.Release]
		one.Incident.Stands(one.Incident.Release, s.Around, s.Unlisted)
		all = append(all, one.Incident)
	}
	slices.SortStableFunc(all, func(a, b Incident) int { return b.HoldsUp.Len() - a.HoldsUp.Len() })
	return all, errors.Join(errs...)
}

// Judge says of an object what is wrong, and what rules report of it.
func (s Source) Judge(ctx context.Context, object map[string]any) (Judged, error) {
	j, written, err := s.decode(object)
	if err != nil {
		return Judged{}, err
	}
	if j.Verdict, err = s.Engine.Evaluate(ctx, j.Release, s.Now); err != nil {
		return Judged{}, fmt.Errorf("%s: %w", NameOf(object), err)
	}
	j.Incident = Of(j.Release, j.Live, j.Verdict.Findings, s.Now, s.Address)
	j.Incident.Cluster, j.Incident.Others = written.Cluster, written.Others
	if c := j.Incident.Cause; c != nil && written.Locate != nil {
		c.File, c.Line = written.Locate(c.Finding)
		c.Message = written.Mask(c.Message)
	}
	return j, nil
}

// Look says of an object what is wrong, without asking rules: it needs no Engine.
func (s Source) Look(object map[string]any) (Judged, error) {
	j, _, err := s.decode(object)
	if err == nil {
		j.Incident = Of(j.Release, j.Live, nil, s.Now, s.Address)
	}
	return j, err
}

func (s Source) decode(object map[string]any) (Judged, Written, error) {
	id := NameOf(object)
	written := s.written(id, object)
	r, err := release.DecodeAdmitted(object, written.Controller)
	if err != nil {
		return Judged{}, written, fmt.Errorf("%s: %w", id, err)
	}
	r.Tier = written.Tier
	live, err := release.LiveOf(object)
	if err != nil {
		return Judged{}, written, fmt.Errorf("%s: %w", id, err)
	}
	if r.Settings == nil {
		return Judged{}, written, fmt.Errorf("%s: the API server would refuse it: is it the object as the cluster has it?", id)
	}
	r.Loss, r.LossUnknown = written.Loss, written.LossUnknown
	if s.Recorded != nil {
		recorded, err := s.Recorded(r, live)
		if r.Loss, r.LossUnknown = nil, ""; err != nil {
			r.LossUnknown = err.Error()
		} else {
			r.Loss = r.Uninstalled(*recorded)
		}
	}
	return Judged{Release: r, Live: live, Address: s.Address}, written, nil
}

// NameOf returns the name of an object.
func NameOf(of map[string]any) release.Name {
	return release.Name{Namespace: object.Namespace(of), Name: object.Name(of)}
}

// written returns the release in the repository or, without one, what the
// configuration says.
func (s Source) written(id release.Name, object map[string]any) Written {
	if s.Written != nil {
		if w := s.Written(id); w != nil {
			return *w
		}
	}
	tier := release.Production
	if s.TierOf != nil {
		tier = s.TierOf(object)
	}
	place := rules.Place{Namespace: id.Namespace, Cluster: s.Cluster}
	return Written{Tier: tier, Controller: s.Config.ControllerAt(place, s.Controller)}
}

// claims returns those of releases, and of what else is on the cluster as far as it can be read.
func (s Source) claims(judged []Judged) []Claim {
	var all []Claim
	add := func(r *release.Release) {
		if c, ok := ClaimOf(r); ok {
			all = append(all, c)
		}
	}
	for _, j := range judged {
		add(j.Release)
	}
	for _, object := range s.Beside {
		if r, err := release.Decode(object, s.Controller); err == nil && r.Settings != nil {
			add(r)
		}
	}
	return all
}
