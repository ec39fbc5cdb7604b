package rules

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// renamed returns a copy of an object with other texts for some names: equal ones for equal
// ones, which are remembered in now.
func renamed(object map[string]any, names NameSet, now map[string]string, to func() string) map[string]any {
	for i, path := range Names {
		text, ok := at(object, path).(string)
		if !ok || !names.Has(i) || text == "" || len(text) > longestText {
			continue
		}
		was := fmt.Sprint(i, text)
		if now[was] == "" {
			now[was] = to()
		}
		steps := make([]string, len(path))
		for n, step := range path {
			steps[n] = step.(string)
		}
		copied := map[string]any{}
		for key, value := range object {
			copied[key] = value
		}
		put(copied, steps, now[was])
		object = copied
	}
	return object
}

// TestNames holds that what is said of a release does not depend on names but for those that
// the verdict has.
func TestNames(t *testing.T) {
	engine, err := New(t.Context(), os.DirFS("../../policies"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	bytes := func(most int) []byte {
		out := make([]byte, 2*random.IntN(most))
		for i := range out {
			out[i] = byte(random.IntN(256))
		}
		return out
	}
	often := map[NameSet]int{}
	for range 400 {
		r, err := releaseOf(byte(random.IntN(128)), bytes(6), bytes(6))
		if err != nil {
			continue
		}
		verdict, err := engine.Evaluate(t.Context(), r, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		free := AllNames &^ verdict.Names
		if verdict.Names&ChartListed != 0 { // another one may not be listed
			free &^= ChartNames
		}
		often[free]++
		now, number := map[string]string{}, 0
		to := func() string { number++; return fmt.Sprintf("another-%d", number) }
		other, err := release.Decode(renamed(r.Object, free, now, to), r.Controller)
		if err != nil {
			t.Fatal(err)
		}
		other.Tier = r.Tier
		if r.Old != nil {
			other.Old = renamed(r.Old, free, now, to)
		}
		input, err := engine.Input(other)
		if err != nil {
			t.Fatal(err)
		}
		told, err := engine.ask(t.Context(), input)
		if err != nil {
			t.Fatal(err)
		}
		again, err := engine.verdict(told, other)
		if err != nil || again.Class != verdict.Class || !reflect.DeepEqual(again.Findings, verdict.Findings) {
			t.Errorf("names %b of %v, old %v:\n%v %v\nbut of %v, old %v:\n%v %v, %v", verdict.Names,
				r.Object, r.Old, verdict.Class, verdict.Findings, other.Object, other.Old, again.Class, again.Findings, err)
		}
	}
	if often[AllNames] == 0 || often[AllNames&^ChartNames] == 0 {
		t.Errorf("how often which names do not matter: %v", often)
	}
}
