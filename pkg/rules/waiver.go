package rules

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// WaiverAnnotation is the prefix of the annotations that waive a rule on the
// object that carries them: waive.flux-remedy.io/<rule>: "<until> <reason>",
// until written as YYYY-MM-DD.
const WaiverAnnotation = "waive.flux-remedy.io/"

// Date is a day in UTC, written as YYYY-MM-DD.
type Date struct{ midnight time.Time }

// DateOf returns the day of a time, in UTC.
func DateOf(t time.Time) Date { return Date{t.UTC().Truncate(24 * time.Hour)} }

var errNoDay = errors.New("is no day: want YYYY-MM-DD")

// UnmarshalText reads YYYY-MM-DD.
func (d *Date) UnmarshalText(b []byte) error {
	t, err := time.Parse(time.DateOnly, string(b))
	if err != nil {
		return fmt.Errorf("%q %w", b, errNoDay)
	}
	d.midnight = t
	return nil
}

// MarshalText writes YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String writes YYYY-MM-DD.
func (d Date) String() string { return d.midnight.Format(time.DateOnly) }

// Over reports whether the day has ended, in UTC.
func (d Date) Over(now time.Time) bool { return !now.UTC().Before(d.End()) }

// End returns the first moment after the day.
func (d Date) End() time.Time { return d.midnight.AddDate(0, 0, 1) }

// Days returns the number of days from now until the date: 0 on the day itself,
// negative once it is over.
func (d Date) Days(now time.Time) int {
	return int(d.midnight.Sub(now.UTC().Truncate(24*time.Hour)) / (24 * time.Hour))
}

// WaiverConfig holds the waivers of the configuration.
type WaiverConfig struct {
	// Entries are waivers that the configuration's owners grant.
	Entries []WaiverEntry `json:"entries,omitempty"`
	// Annotations sets by tier whether the object's own annotations, and comments beside what
	// decides, may waive: allow (default) or forbid.
	Annotations map[release.Tier]string `json:"annotations,omitempty"`
	// Limits of annotations.
	WaiverLimits `json:",inline"`
}

// WaiverEntry waives a rule for the releases it matches.
type WaiverEntry struct {
	// Rule is the id of the rule.
	Rule string `json:"rule"`
	// Namespace is a glob of the release's namespace. Default: any.
	Namespace string `json:"namespace,omitempty"`
	// Name is a glob of the release's name. Default: any.
	Name string `json:"name,omitempty"`
	// Cluster is a glob of the name of the cluster that applies the release. Default: any.
	// Only the linter reads it, as file and field: elsewhere an entry with one of them
	// accepts nothing.
	Cluster string `json:"cluster,omitempty"`
	// File is a glob of the path of the file that decides, as a patch, relative to the
	// root. Default: any.
	File string `json:"file,omitempty"`
	// Field is the field that decides, as baselines and the JSON report name it. Default: any.
	Field string `json:"field,omitempty"`
	// Until is the last day on which it holds, YYYY-MM-DD in UTC.
	Until Date `json:"until"`
	// Reason says why the finding is accepted.
	Reason string `json:"reason"`
	// Owner says whom to ask.
	Owner string `json:"owner,omitempty"`
}

// Waiver accepts the findings of one rule on one release.
type Waiver struct {
	Rule   string `json:"rule"`
	Until  Date   `json:"until"`
	Reason string `json:"reason"`
	Owner  string `json:"owner,omitempty"`
	// Path is the annotation in the object; empty for an entry of the
	// configuration.
	Path release.Path `json:"path,omitempty"`
	// File and Line are those of a comment; absent elsewhere.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Entry is the index in spec.waivers.entries; 0 for an annotation or a comment.
	Entry int `json:"-"`
}

// Expired reports whether the waiver's last day is over.
func (w Waiver) Expired(now time.Time) bool { return w.Until.Over(now) }

// WaiverError is a waiver annotation that waives nothing: it cannot be read, is beyond the
// limits of the configuration, or annotations are forbidden in the tier.
type WaiverError struct {
	Path release.Path
	Err  error
}

func (e *WaiverError) Error() string { return e.Path.String() + ": " + e.Err.Error() }

// of returns the waivers for a release as [Config.Waivers] does.
func (c WaiverConfig) of(r *release.Release, now time.Time) ([]Waiver, []*WaiverError) {
	waivers, errs := c.annotated(r, now)
	for i, entry := range c.Entries {
		if !entry.OnlyInTree() && entry.matches(r) {
			waivers = append(waivers, entry.waiver(i))
		}
	}
	return waivers, errs
}

func (c WaiverConfig) annotated(r *release.Release, now time.Time) (waivers []Waiver, errs []*WaiverError) {
	meta, _ := r.Object["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	for _, key := range sortedKeys(annotations) {
		rule, ok := strings.CutPrefix(key, WaiverAnnotation)
		if !ok {
			continue
		}
		path := release.Path{"metadata", "annotations", key}
		waiver, err := parseWaiver(rule, annotations[key])
		if err == nil {
			err = c.CheckOwn(waiver, r.Tier, now)
		}
		if err != nil {
			errs = append(errs, &WaiverError{Path: path, Err: err})
			continue
		}
		waiver.Path = path
		waivers = append(waivers, waiver)
	}
	return waivers, errs
}

// CheckOwn returns why a waiver beside what it accepts, in an annotation or a comment, does not
// count in a tier: it is forbidden there, or beyond the limits.
func (c WaiverConfig) CheckOwn(w Waiver, tier release.Tier, now time.Time) error {
	if c.Annotations[tier] == "forbid" {
		what := "annotations"
		if w.File != "" {
			what = "comments"
		}
		return fmt.Errorf("%s cannot waive rules in %s: ask the owners of the configuration", what, tier)
	}
	return c.check(w, now)
}

// Local returns the waivers of the configuration that may accept findings of a release by the
// cluster or by what decides: see [WaiverEntry.Decides].
func (c WaiverConfig) Local(r *release.Release, cluster string) []Waiver {
	var out []Waiver
	for i, entry := range c.Entries {
		if entry.OnlyInTree() && entry.matches(r) && entry.In(cluster) {
			out = append(out, entry.waiver(i))
		}
	}
	return out
}

// OnlyInTree reports whether only who sees the tree knows what the entry matches.
func (e WaiverEntry) OnlyInTree() bool { return e.Cluster+e.File+e.Field != "" }

// In reports whether the entry is for releases of a cluster.
func (e WaiverEntry) In(cluster string) bool { return globOrAny(e.Cluster, cluster) }

// Decides reports whether the entry is for findings that a field of a file decides.
func (e WaiverEntry) Decides(file, field string) bool {
	return globOrAny(e.File, file) && (e.Field == "" || e.Field == field)
}

func (e WaiverEntry) waiver(at int) Waiver {
	return Waiver{Rule: e.Rule, Until: e.Until, Reason: e.Reason, Owner: e.Owner, Entry: at}
}

// WaiverComment is what begins a comment that waives a rule beside what decides, before
// "RULE until YYYY-MM-DD: reason".
const WaiverComment = "flux-remedy: waive "

var errNoComment = errors.New("a comment for flux-remedy is \"# " + WaiverComment + "RULE until YYYY-MM-DD: reason\"")

// ParseComment reads a comment from WaiverComment on.
func ParseComment(text string) (Waiver, error) {
	rest, begins := strings.CutPrefix(text, WaiverComment)
	rule, rest, named := strings.Cut(strings.TrimSpace(rest), " ")
	rest, dated := strings.CutPrefix(strings.TrimSpace(rest), "until ")
	day, reason, _ := strings.Cut(rest, ":")
	w := Waiver{Rule: rule, Reason: strings.TrimSpace(reason)}
	if !begins || !named || !dated {
		return w, errNoComment
	}
	if err := w.Until.UnmarshalText([]byte(strings.TrimSpace(day))); err != nil {
		return w, fmt.Errorf("%w: %w", err, errNoComment)
	}
	if w.Reason == "" {
		return w, fmt.Errorf("it gives no reason: %w", errNoComment)
	}
	return w, nil
}

func parseWaiver(rule string, value any) (Waiver, error) {
	text, _ := value.(string)
	until, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	waiver := Waiver{Rule: rule, Reason: strings.TrimSpace(reason)}
	if err := waiver.Until.UnmarshalText([]byte(until)); err != nil {
		return waiver, fmt.Errorf("%w, then the reason", err)
	}
	if waiver.Reason == "" {
		return waiver, errors.New("gives no reason: want \"YYYY-MM-DD reason\"")
	}
	return waiver, nil
}

func (e WaiverEntry) matches(r *release.Release) bool {
	return globOrAny(e.Namespace, r.Namespace) && globOrAny(e.Name, r.Name)
}

func (c WaiverConfig) validateAnnotations() error {
	var errs []error
	for tier, given := range c.Annotations {
		_, err := release.ParseTier(string(tier))
		errs = append(errs, err)
		if given != "allow" && given != "forbid" {
			errs = append(errs, fmt.Errorf("annotations.%s is %q: want allow or forbid", tier, given))
		}
	}
	return errors.Join(errs...)
}

func (e WaiverEntry) validate() error {
	var errs []error
	if e.Rule == "" {
		errs = append(errs, errors.New("rule is missing"))
	}
	if e.Until == (Date{}) {
		errs = append(errs, errors.New("until is missing: a waiver holds until a day, YYYY-MM-DD"))
	}
	if strings.TrimSpace(e.Reason) == "" {
		errs = append(errs, errors.New("reason is missing"))
	}
	return errors.Join(append(errs, validGlobs([]string{e.Namespace, e.Name, e.Cluster, e.File}))...)
}
