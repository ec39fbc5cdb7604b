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

// sit drives a run and compares. One that disagrees is repeated, in case that the machine was too
// busy: then an action takes longer than its timeout, the test does something late, or the controller
// cannot write what it has done. Whoever is right, says the same again.
func (x *exam) sit(t *testing.T, begin func(t *testing.T, again string) *run) {
	for _, again := range []string{"", ".2", ".3"} {
		x.run = begin(t, again)
		wrong := x.compare(t)
		if len(wrong) == 0 {
			return
		}
		for _, text := range wrong {
			t.Log(text)
		}
	}
	t.Error("the run disagrees each time")
}

// compare drives the run and says what is not as forecast.
func (x *exam) compare(t *testing.T) (wrong []string) {
	x.shard = "shared"
	if x.scenario.ends() {
		x.shard = x.namespace
		x.restart = x.ownController(t)
	}
	if err := x.drive(); err != nil {
		return []string{err.Error()}
	}
	line := forecast.Run(x.settings, x.controller, find(t, x.scenario.name), x.options(t))
	digest := strings.Split(x.log.digest(x.name, x.scenario.name, x.spec), "\t")
	real := strings.Fields(strings.TrimPrefix(digest[3], "-"))
	want := forecastWord(line.Steps)
	if digest[4] == "retrying" || digest[4] == "error" || digest[4] == "idle" { // and was cut
		want = want[:min(len(want), len(real))]
	}
	if strings.Join(want, " ") != strings.Join(real, " ") {
		wrong = append(wrong, fmt.Sprintf("actions\nforecast %v\nreal     %v\n%s\n%s", want, real, line.Outcome.Summary, x.log))
	}
	if want := x.ended(line.Outcome); want != digest[4] {
		wrong = append(wrong, fmt.Sprintf("end\nforecast %s\nreal     %s\n%s\n%s", want, digest[4], line.Outcome.Summary, x.log))
	}
	if x.scenario.name == "drift" {
		if left, err := x.drifted(); err != nil || left != (x.settings.DriftDetection != "enabled") {
			wrong = append(wrong, fmt.Sprintf("the change on the cluster is left: %v, %v", left, err))
		}
	}
	if len(wrong) == 0 {
		wrong = x.gaps(line.Steps, x.log.steps())
	}
	return wrong
}

// options are those of the forecast: an outage ends there after as many attempts as here.
func (x *exam) options(t *testing.T) forecast.Options {
	out := forecast.Options{MaxSteps: -1, Rounds: x.scenario.rounds}
	if !x.scenario.outage {
		return out
	}
	out.Outage = time.Hour
	left := x.scenario.troubles[0]
	for _, s := range forecast.Run(x.settings, x.controller, find(t, x.scenario.name), out).Steps {
		if s.Result == forecast.Fail && strings.Contains(left.actions, letters[s.Action]) {
			left.times--
		}
		if left.times == 0 {
			out.Outage = s.At.Duration + s.Took.Duration
			break
		}
	}
	return out
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

// early is how much sooner than forecast an action may begin: the API server notes times in seconds.
const early = time.Second

// gaps compares the pauses between actions. A busy machine makes them longer, nothing shorter but what the
// test lets happen.
func (x *exam) gaps(steps []forecast.Step, real []step) (wrong []string) {
	said := recorded(steps)
	for i := 1; i < min(len(real), len(said)); i++ {
		if said[i-1].Result == forecast.Killed || real[i-1].ended.IsZero() || !adjacent(steps, said[i-1], said[i]) {
			continue
		}
		want := said[i].At.Duration - said[i-1].At.Duration - said[i-1].Took.Duration
		got := real[i].begun.Sub(real[i-1].ended)
		if got < want-early && len(x.scenario.events) == 0 {
			wrong = append(wrong, fmt.Sprintf("%s%d begins %v after the action before, forecast %v", real[i].action, real[i].revision, got, want))
		}
		x.pauses.add(want, got, fmt.Sprintf("%s, %s, before %s%d", x.scenario.name, x.name, real[i].action, real[i].revision))
	}
	return wrong
}

// adjacent reports whether nothing that leaves no record, such as tests, is between two steps.
func adjacent(steps []forecast.Step, a, b forecast.Step) bool {
	return slices.Index(steps, a)+1 == slices.Index(steps, b)
}
