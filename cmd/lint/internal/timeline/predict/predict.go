package predict

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Options say what is forecast.
type Options struct {
	// Release is a glob for NAMESPACE/NAME or, without a slash, for names. Empty,
	// it matches every release.
	Release string
	// Scenarios are names; empty means all.
	Scenarios []string
	// Then are events that happen after each scenario.
	Then []string
	Run  forecast.Options
	// Format is one of [timeline.Formats].
	Format string
}

// Check returns an error about options that cannot be followed.
func (o Options) Check() error {
	if !slices.Contains(timeline.Formats(), o.Format) {
		return fmt.Errorf("-o %s: unknown format: want %s", o.Format, strings.Join(timeline.Formats(), ", "))
	}
	if _, err := path.Match(o.Release, ""); err != nil {
		return fmt.Errorf("--release %s: no valid glob: want a name or a pattern such as 'apps/*'", o.Release)
	}
	switch {
	case o.Run.MaxSteps < 1:
		return fmt.Errorf("--max-steps %d: want 1 or more", o.Run.MaxSteps)
	case o.Run.FailAfter < 0 || o.Run.Outage < 0:
		return errors.New("--fail-after and --outage cannot be negative")
	}
	_, err := o.scenarios()
	return err
}

func (o Options) scenarios() ([]forecast.Scenario, error) {
	names := o.Scenarios
	if len(names) == 0 {
		for _, s := range forecast.Scenarios() {
			names = append(names, s.Name)
		}
	}
	var chosen []forecast.Scenario
	for _, name := range names {
		if _, err := forecast.Find(name); err != nil {
			return nil, fmt.Errorf("--scenario: %w: \"flux-remedy forecast --scenarios\" lists them", err)
		}
		scenario, err := forecast.Find(strings.Join(append([]string{name}, o.Then...), "+"))
		if err != nil {
			return nil, fmt.Errorf("--then: %w: \"flux-remedy forecast --scenarios\" lists them", err)
		}
		chosen = append(chosen, scenario)
	}
	return chosen, nil
}

// Report forecasts the releases of a tree that match, and counts them.
func (o Options) Report(tree *effective.Tree) (timeline.Report, int, error) {
	result := timeline.Report{
		APIVersion: timeline.APIVersion, Kind: timeline.Kind,
		Forecasts: []timeline.Forecast{}, Undetermined: []timeline.Unforeseen{},
	}
	scenarios, err := o.scenarios()
	if err != nil {
		return result, 0, err
	}
	for _, p := range tree.Problems {
		result.Remarks = append(result.Remarks, fmt.Sprintf("%s:%d cannot be read: %v. What it holds is not forecast.", p.File, max(p.Line, 1), p.Err))
	}
	found := 0
	for _, release := range tree.Releases {
		if release.ID().Matches(o.Release) {
			found++
			o.add(&result, release, scenarios)
		}
	}
	return result, found + o.unresolved(&result, tree), nil
}

// maxPlaces is how many places that could not be resolved are remarked on.
const maxPlaces = 5

// unresolved adds what a tree may hold besides its releases: those that stand in what cannot be built, and the
// places that may have others. It returns how many of those releases are asked for.
func (o Options) unresolved(to *timeline.Report, tree *effective.Tree) (found int) {
	there := map[timeline.Unforeseen]bool{}
	for _, r := range tree.Releases {
		there[timeline.Unforeseen{Release: r.ID(), Cluster: r.Cluster}] = true
	}
	places := 0
	for _, u := range tree.Undetermined {
		namespace, name, named := strings.Cut(u.Release, "/")
		of := timeline.Unforeseen{Release: release.Name{Namespace: namespace, Name: name}, Cluster: u.Cluster}
		switch {
		case named && of.Release.Matches(o.Release) && !there[of]:
			there[of] = true
			of.Reason = u.Reason
			to.Undetermined, found = append(to.Undetermined, of), found+1
		case u.Release != "" || u.Shown:
		default:
			if places++; places <= maxPlaces {
				to.Remarks = append(to.Remarks, fmt.Sprintf("%s:%d: %s. What it holds is not forecast.", u.File, u.Line, u.Reason))
			}
		}
	}
	if more := places - maxPlaces; more > 0 {
		to.Remarks = append(to.Remarks, fmt.Sprintf("%s more could not be resolved: \"flux-remedy lint\" lists them.", words.Count(more, "place")))
	}
	return found
}

// unreadable says what could not be read, if anything.
func unreadable(tree *effective.Tree) error {
	var errs []error
	for _, p := range tree.Problems {
		errs = append(errs, fmt.Errorf("read %s:%d: %w", p.File, p.Line, p.Err))
	}
	return errors.Join(errs...)
}

func (o Options) add(to *timeline.Report, release *effective.Release, scenarios []forecast.Scenario) {
	name := release.ID()
	if why := undetermined(release); why != "" {
		to.Undetermined = append(to.Undetermined, timeline.Unforeseen{Release: name, Cluster: release.Cluster, Reason: why})
		return
	}
	remark(to, release.Controller)
	opts := o.Run
	opts.Revive = true
	for _, scenario := range scenarios {
		line := forecast.Run(*release.Settings, release.Controller, scenario, opts).Deleting(release.Deletes())
		for i, way := range line.Revive {
			line.Revive[i] = way.Named(forecast.Argument(name.Name, "NAME") + " -n " + forecast.Argument(name.Namespace, "NAMESPACE"))
			line.Revive[i].Do = release.Mask(line.Revive[i].Do)
		}
		to.Forecasts = append(to.Forecasts, timeline.Forecast{
			Release: name, Cluster: release.Cluster, Timeline: line, HoldsUp: release.Radius(scenario, o.Run),
		})
	}
}

// remark says once of a version that nobody has run that it is so.
func remark(to *timeline.Report, controller release.Controller) {
	follows := "its source"
	if read := release.NewestRead(); !(release.Controller{Version: read}).AtLeast(controller.Version) {
		follows = "the source of " + read
	} else if !controller.Modelled() {
		follows = "the source of 0.37 (an older one sets no condition Stalled, read it as no retries left)"
	}
	text := fmt.Sprintf("Forecasts for helm-controller %s follow %s and were never compared with a run of that version: \"flux-remedy version --flux\" lists what was.", controller.Version, follows)
	if !controller.Held() && !slices.Contains(to.Remarks, text) {
		to.Remarks = append(to.Remarks, text)
	}
}

// undetermined says why a release has no known settings, if so.
func undetermined(release *effective.Release) string {
	if u := cmp.Or(release.Unidentified(), release.UnknownSetting()); u != nil {
		return u.Reason
	}
	if newer, _ := release.Newer(); len(newer) > 0 {
		return newer[0].Path.String() + " " + newer[0].Reason
	}
	if release.Settings == nil {
		return "the API server would refuse it: \"flux-remedy lint\" says why"
	}
	return ""
}

// Side is what is forecast: a state of a tree.
type Side struct {
	// Name is that of the state for people.
	Name string
	Read func() (*effective.Tree, error)
}

// ErrNothing says that no release is there to forecast.
var ErrNothing = errors.New("no HelmRelease was found")

// ErrUnread says that a file cannot be read: what was written names it.
var ErrUnread = errors.New("not all files can be read")

// Write forecasts the releases of one side and writes that, or compares it with those of
// the side before it. It returns [ErrNothing] if there are none, and [ErrUnread] if it has written
// what can be forecast. Nothing is compared with what cannot be read.
func (o Options) Write(out io.Writer, look timeline.Options, sides ...Side) error {
	var reports []timeline.Report
	releases, unread := 0, false
	for _, side := range sides {
		tree, err := side.Read()
		if err != nil {
			return err
		}
		report, found, err := o.Report(tree)
		if err == nil && (len(sides) > 1 || found == 0) {
			err = unreadable(tree)
		}
		if err != nil {
			return err
		}
		unread = unread || len(tree.Problems) > 0
		reports, releases = append(reports, report), releases+found
	}
	if releases == 0 {
		return ErrNothing
	}
	look.Brief = releases > len(sides) && len(o.Scenarios) == 0
	if len(sides) == 1 {
		err := timeline.Write(out, o.Format, reports[0], look)
		if err == nil && unread {
			err = ErrUnread
		}
		return err
	}
	compared := timeline.Compare(reports[0], reports[1])
	compared.Before, compared.After = sides[0].Name, sides[1].Name
	return timeline.WriteComparison(out, o.Format, compared, look)
}

// Names returns each scenario as NAME, tab, title, the form that shells complete.
func Names() []string {
	var names []string
	for _, s := range forecast.Scenarios() {
		names = append(names, s.Name+"\t"+s.Title)
	}
	return names
}

// Events returns each event as NAME, tab, what happens.
func Events() []string {
	var names []string
	for _, e := range forecast.Events() {
		names = append(names, string(e)+"\t"+e.Description())
	}
	return names
}

// List writes the scenarios and the events for people.
func List(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range forecast.Scenarios() {
		fmt.Fprintf(w, "%s\t%s\n", s.Name, s.Description)
	}
	fmt.Fprintf(w, "\nEvents, for --then:\n")
	for _, e := range Events() {
		fmt.Fprintln(w, e)
	}
	return w.Flush()
}
