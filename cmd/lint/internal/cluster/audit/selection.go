package audit

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"k8s.io/apimachinery/pkg/labels"
)

// selection says which releases of the clusters a report has. The zero value is all.
type selection struct {
	Namespace string   `json:"namespace,omitempty"`
	Phases    []Phase  `json:"phases,omitempty"`
	Tiers     []string `json:"tiers,omitempty"`
	Labels    string   `json:"labels,omitempty"`

	selector labels.Selector
}

// selection reads the flags that select.
func (o *Options) selection() (selection, error) {
	s := selection{Namespace: o.Namespace, Labels: o.Selector}
	for _, name := range o.Phases {
		if !slices.Contains(phases, Phase(name)) {
			return s, fmt.Errorf("--phase %s: unknown phase: want %s", name, strings.Join(Phases(), ", "))
		}
		s.Phases = append(s.Phases, Phase(name))
	}
	for _, name := range o.Tiers {
		if !slices.Contains(release.Tiers, release.Tier(name)) {
			return s, fmt.Errorf("--tier %s: unknown tier: want production, staging or development", name)
		}
		s.Tiers = append(s.Tiers, name)
	}
	slices.Sort(s.Phases)
	slices.Sort(s.Tiers)
	var err error
	if s.selector, err = labels.Parse(o.Selector); err != nil {
		return s, fmt.Errorf("--selector: %w", err)
	}
	return s, nil
}

// Phases lists the names of phases.
func Phases() []string {
	return words.Of(phases, func(p Phase) string { return string(p) })
}

// narrow reports whether releases are chosen by more than their namespace.
func (s selection) narrow() bool { return len(s.Phases)+len(s.Tiers) > 0 || s.Labels != "" }

func (s selection) phase(p Phase) bool { return len(s.Phases) == 0 || slices.Contains(s.Phases, p) }

// place reports whether the tier and the labels of a release are chosen. Labels are its own and, for
// keys that it does not have, those of its Namespace: there teams are often named.
func (s selection) place(tier release.Tier, own, namespace labels.Set) bool {
	return (len(s.Tiers) == 0 || slices.Contains(s.Tiers, string(tier))) &&
		(s.Labels == "" || s.selector.Matches(labels.Merge(namespace, own)))
}

// mayMiss says what follows if labels of Namespaces are not known.
func (s selection) mayMiss() string {
	if s.Labels == "" && len(s.Tiers) == 0 {
		return ""
	}
	return " and releases be missing"
}

// equal reports whether two selections choose alike.
func (s selection) equal(other selection) bool {
	return s.Namespace == other.Namespace && s.Labels == other.Labels && slices.Equal(s.Phases, other.Phases) && slices.Equal(s.Tiers, other.Tiers)
}

func (s selection) orAll() string { return cmp.Or(s.String(), "all releases") }

// String says what is chosen; empty if that is all.
func (s selection) String() string {
	var all []string
	add := func(what, value string) {
		if value != "" {
			all = append(all, what+" "+value)
		}
	}
	names := words.Of(s.Phases, func(p Phase) string { return string(p) })
	add("namespace", s.Namespace)
	add("phase", strings.Join(names, " or "))
	add("tier", strings.Join(s.Tiers, " or "))
	add("labels", s.Labels)
	return strings.Join(all, ", ")
}

func labelsOf(of map[string]any) labels.Set {
	given, _ := object.At(of, "metadata", "labels").(map[string]any)
	set := labels.Set{}
	for key, value := range given {
		set[key], _ = value.(string)
	}
	return set
}

// Shard is a part of the clusters, which one of several machines asks. The zero value is all.
type Shard struct{ index, count int }

// Set reads a shard as INDEX/COUNT, where the first index is 0.
func (s *Shard) Set(text string) error {
	before, after, _ := strings.Cut(text, "/")
	index, err := strconv.Atoi(before)
	count, err2 := strconv.Atoi(after)
	if err != nil || err2 != nil || index < 0 || index >= count {
		return fmt.Errorf("want INDEX/COUNT with an INDEX from 0 to COUNT-1, as 0/8")
	}
	*s = Shard{index, count}
	return nil
}

// Type names the type of flags.
func (*Shard) Type() string { return "shard" }

// String returns INDEX/COUNT, or nothing for all.
func (s *Shard) String() string {
	if s.count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.index, s.count)
}

// has reports whether a cluster is in the shard. That depends on its name alone, and not on
// which others there are.
func (s *Shard) has(cluster string) bool {
	sum := fnv.New32a()
	sum.Write([]byte(cluster))
	return s.count == 0 || int(sum.Sum32()%uint32(s.count)) == s.index
}

func (s *Shard) of(all []target) []target {
	return slices.DeleteFunc(all, func(t target) bool { return !s.has(t.name) })
}
