package overview

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// Selection says which releases of the clusters a report has. The zero value is all.
type Selection struct {
	Namespace string   `json:"namespace,omitempty"`
	Phases    []Phase  `json:"phases,omitempty"`
	Tiers     []string `json:"tiers,omitempty"`
	Labels    string   `json:"labels,omitempty"`
}

// Narrow reports whether releases are chosen by more than their namespace.
func (s Selection) Narrow() bool { return len(s.Phases)+len(s.Tiers) > 0 || s.Labels != "" }

// equal reports whether two selections choose alike.
func (s Selection) equal(other Selection) bool {
	return s.Namespace == other.Namespace && s.Labels == other.Labels && slices.Equal(s.Phases, other.Phases) && slices.Equal(s.Tiers, other.Tiers)
}

func (s Selection) orAll() string { return cmp.Or(s.String(), "all releases") }

// String says what is chosen; empty if that is all.
func (s Selection) String() string {
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

func (r Report) chosen() Selection {
	if r.Selection == nil {
		return Selection{}
	}
	return *r.Selection
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

// Has reports whether a cluster is in the shard. That depends on its name alone, and not on
// which others there are.
func (s *Shard) Has(cluster string) bool {
	sum := fnv.New32a()
	sum.Write([]byte(cluster))
	return s.count == 0 || int(sum.Sum32()%uint32(s.count)) == s.index
}
