package audit

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

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
