//go:build flux

package flux

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// exam is a run that is held to its forecast.
type exam struct {
	*run
	name       string
	settings   release.Settings
	controller release.Controller
	pauses     *measured
}

// sit drives the run and compares.
func (x *exam) sit(t *testing.T) {
	shard := "shared"
	if x.scenario.ends() {
		shard = x.namespace
		x.restart = x.ownController(t)
	}
	x.shard = shard
	if err := x.drive(); err != nil {
		t.Fatal(err)
	}
	line := forecast.Run(x.settings, x.controller, find(t, x.scenario.name), forecast.Options{MaxSteps: -1})
	digest := strings.Split(x.log.digest(x.name, x.scenario.name, x.spec), "\t")
	real := strings.Fields(strings.TrimPrefix(digest[3], "-"))
	want := forecastWord(line.Steps)
	if digest[4] == "retrying" || digest[4] == "error" || digest[4] == "idle" { // and was cut
		want = want[:min(len(want), len(real))]
	}
	if strings.Join(want, " ") != strings.Join(real, " ") {
		t.Errorf("actions\nforecast %v\nreal     %v\n%s\n%s", want, real, line.Outcome.Summary, x.log)
	}
	if want := x.ended(line.Outcome); want != digest[4] {
		t.Errorf("end\nforecast %s\nreal     %s\n%s\n%s", want, digest[4], line.Outcome.Summary, x.log)
	}
	if x.scenario.name == "drift" {
		if left, err := x.drifted(); err != nil || left != (x.settings.DriftDetection != "enabled") {
			t.Errorf("the change on the cluster is left: %v, %v", left, err)
		}
	}
	x.gaps(t, line.Steps, x.log.steps())
}

// ended names an end as digests do.
func (x *exam) ended(o forecast.Outcome) string {
	switch {
	case o.End == forecast.Waiting:
		return "retrying"
	case o.End == forecast.Retrying && o.Every == x.settings.Interval:
		return "idle" // for that long
	}
	return strings.ToLower(string(o.End))
}

var letters = map[forecast.Action]string{forecast.Install: "I", forecast.Upgrade: "U", forecast.Rollback: "R", forecast.Uninstall: "X"}

var signs = map[forecast.Result]string{forecast.OK: "+", forecast.Fail: "-", forecast.Killed: "!"}

// recorded returns the steps that write a Helm record.
func recorded(steps []forecast.Step) []forecast.Step {
	var out []forecast.Step
	for _, s := range steps {
		if letters[s.Action] != "" && s.Revision > 0 {
			out = append(out, s)
		}
	}
	return out
}

// forecastWord writes the steps of a forecast as digests do.
func forecastWord(steps []forecast.Step) []string {
	var out []string
	for _, s := range recorded(steps) {
		out = append(out, fmt.Sprintf("%s%d%s", letters[s.Action], s.Revision, signs[s.Result]))
	}
	return out
}

// early is how much sooner than forecast an action may begin: what a watch sees late.
const early = 500 * time.Millisecond

// gaps compares the pauses between actions. A busy machine makes them longer, nothing shorter.
func (x *exam) gaps(t *testing.T, steps []forecast.Step, real []step) {
	t.Helper()
	said := recorded(steps)
	for i := 1; i < min(len(real), len(said)); i++ {
		if said[i-1].Result == forecast.Killed || real[i-1].ended.IsZero() || !adjacent(steps, said[i-1], said[i]) {
			continue
		}
		want := said[i].At.Duration - said[i-1].At.Duration - said[i-1].Took.Duration
		got := real[i].begun.Sub(real[i-1].ended)
		if got < want-early {
			t.Errorf("%s%d begins %v after the action before, forecast %v", real[i].action, real[i].revision, got, want)
		}
		x.pauses.add(want, got, fmt.Sprintf("%s, %s, before %s%d", x.scenario.name, x.name, real[i].action, real[i].revision))
	}
}

// adjacent reports whether nothing that leaves no record, such as tests, is between two steps.
func adjacent(steps []forecast.Step, a, b forecast.Step) bool {
	return slices.Index(steps, a)+1 == slices.Index(steps, b)
}
