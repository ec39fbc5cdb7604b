package wave

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

var folder = flag.String("waves", filepath.Join("..", "..", "..", "testdata", "wave"), "folder of the recordings")

// recording is what the real controllers did in a wave: see testdata/wave/README.md.
type recording struct {
	Name  string            `json:"name"`
	Specs map[string]string `json:"specs"`
	Fleet
	want map[string][]sign
}

// sign is the end of a reconcile.
type sign struct {
	at   float64 // seconds
	text string
}

func (s sign) String() string { return fmt.Sprintf("%.0f%s", s.at, s.text) }

// TestRecordings replays what hack/flux has recorded of unmodified controllers: each Kustomization comes
// to the same ends, each within one look of when it did.
func TestRecordings(t *testing.T) {
	all := recordings(t)
	if len(all) < 2*150 {
		t.Errorf("%d recordings", len(all))
	}
	disagreements := 0
	for _, r := range all {
		if diff := r.disagreement(); diff != "" {
			t.Errorf("%s of %s:\n%s", r.Name, r.Controller.Version, diff)
			disagreements++
		}
	}
	t.Logf("%d of %d recordings are as forecast", len(all)-disagreements, len(all))
}

// recordings reads all, of each pair of versions in a file of its own.
func recordings(t *testing.T) []*recording {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(*folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	var all []*recording
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, helm, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txt"), "-")
		for line := range strings.Lines(string(text)) {
			all = append(all, recorded(t, line, helm))
		}
	}
	return all
}

func recorded(t *testing.T, line, helm string) *recording {
	t.Helper()
	fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
	r := &recording{want: map[string][]sign{}}
	if err := json.Unmarshal([]byte(fields[1]), r); err != nil {
		t.Fatalf("%s: %v", fields[0], err)
	}
	for i := range r.Releases {
		spec := map[string]any{}
		if err := json.Unmarshal([]byte(r.Specs[r.Releases[i].Name]), &spec); err != nil {
			t.Fatal(err)
		}
		spec["interval"] = "1h"
		one, err := release.Decode(map[string]any{"apiVersion": release.Group + "/v2", "kind": "HelmRelease", "spec": spec}, release.Controller{Version: helm})
		if err != nil || one.Settings == nil {
			t.Fatalf("%s: %v", fields[0], err)
		}
		r.Releases[i].Settings, r.Releases[i].Controller = *one.Settings, one.Controller
	}
	for _, word := range strings.Fields(fields[2]) {
		name, rest, _ := strings.Cut(word, "@")
		at := strings.IndexAny(rest, "+!xcf?")
		if at < 0 || !slices.ContainsFunc(r.Kustomizations, func(k Kustomization) bool { return k.Name == name }) {
			continue // a release, of which the simulator says nothing
		}
		seconds, err := strconv.ParseFloat(rest[:at], 64)
		if err != nil {
			t.Fatal(err)
		}
		r.want[name] = append(r.want[name], sign{seconds, rest[at:]})
	}
	return r
}

// tolerance is how far the end of a reconcile may be from its forecast: one look at the health, and what a
// busy machine takes.
const tolerance = 6.5

// disagreement returns how the simulation differs, empty if it does not. What is that close to the end of
// the recording is left out. Which of several Kustomizations gets a worker first is chance: where there
// are fewer workers, any of them may be any other.
func (r *recording) disagreement() string {
	got := map[string][]sign{}
	for _, s := range Run(r.Fleet) {
		got[s.Kustomization] = append(got[s.Kustomization], sign{s.At.Seconds(), s.sign()})
	}
	var out []string
	left := slices.Clone(r.Kustomizations)
	for _, k := range r.Kustomizations {
		i := slices.IndexFunc(left, func(other Kustomization) bool {
			same := other.Name == k.Name || r.Controller.Concurrent < len(r.Kustomizations)
			return same && agree(got[k.Name], r.want[other.Name], r.Until.Seconds())
		})
		if i < 0 {
			out = append(out, fmt.Sprintf("  %s forecast %v\n  %s recorded %v", k.Name, got[k.Name], k.Name, r.want[k.Name]))
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	return strings.Join(out, "\n")
}

func agree(got, want []sign, until float64) bool {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got) && want[i].at > until-tolerance, i >= len(want) && got[i].at > until-tolerance:
			return true
		case i >= len(got) || i >= len(want) || got[i].text != want[i].text || math.Abs(got[i].at-want[i].at) > tolerance:
			return false
		}
	}
	return true
}

// sign returns the end of a step in the words of a recording.
func (s Step) sign() string {
	sign := map[End]string{Ready: "+", Unhealthy: "!", Canceled: "c", Dependency: "?"}[s.End]
	switch {
	case s.End == Unhealthy && s.Early && s.For == nil:
		sign = "f"
	case s.End == Unhealthy && s.Early:
		sign = "x"
	}
	if s.End == Dependency {
		return sign
	}
	return fmt.Sprint(sign, s.Revision)
}

// Run simulates a fleet, and returns its reconciles in the order of their ends. Those that find the
// same dependency not ready again are one.
func Run(fleet Fleet) []Step {
	s := newSimulation(&fleet)
	s.run(func() bool { return false })
	return s.steps
}
