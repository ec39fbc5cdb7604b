package forecast

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestSentences: read back, each sentence says what was simulated, in all
// scenarios, with and without further events, under random settings.
func TestSentences(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		if lie := lies(seed); lie != "" {
			t.Fatal(lie)
		}
	}
}

// lies returns how a sentence is wrong under some settings, empty if none is.
func lies(seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 1))
	settings := randomSettings(random)
	controller := release.Controller{Gates: release.Gates{"CancelHealthCheckOnNewRevision": random.IntN(3) == 0}}
	for _, scenario := range Scenarios() {
		for range random.IntN(3) {
			scenario = scenario.Then(Events()[random.IntN(len(Events()))])
		}
		s := newSimulation(&settings, controller, &scenario, Options{})
		out := s.outcome(s.drive())
		text := accountOf(s.journal.steps, s.journal.events, out).sentence(out)
		if err := compare(text, out, s.journal); err != nil {
			return fmt.Sprintf("%s of %+v:\n%s\n%v\n%s", scenario.Name, settings, text, err, word(s.journal.steps))
		}
		if after := Run(settings, controller, scenario.Then(causeGone), Options{}).Outcome; out.Endless() && out.NeedsHuman == ((after.End == Ready || after.End == Deleted) && !after.NeedsHuman) {
			return fmt.Sprintf("%s of %+v:\n%s\nonce the cause is gone: %s", scenario.Name, settings, text, after)
		}
	}
	return ""
}

// told is what a reader takes from a sentence.
type told struct {
	passages []toldPassage
	round    []string // "upgrade-"; a lower case x for one that changed nothing
	ignored  []string
	after    string
	every    string
	end      string
	running  string
	human    bool
}

// toldPassage is what came after an event, by noun.
type toldPassage struct {
	event string
	count map[string]int
}

var (
	sentenceForm = regexp.MustCompile(`^(?:after (.+?) )?((?:the release is|the HelmRelease is gone|the controller cannot|a dependency is not|the values cannot|(?:the|it) \w+ (?:fails|succeeds|is)|it is).*?)(?:, even after (.+?))?; ([^;]+?)( and a human is needed|; no human is needed once the cause is gone)?$`)
	timeForm     = regexp.MustCompile(`^(?:(.*) )?\(?([0-9][0-9a-zµ.]*)\)?$`)
	countForm    = regexp.MustCompile(`^(an?|the first|\d+) ((?:failed |interrupted )?(?:install|upgrade|rollback|uninstall|test|correction))s?$`)
	endlessForm  = regexp.MustCompile(`^(.*?)(?: and (?:is tried|is done|the controller looks|looks) again|, over and over|,)*(?: after|, up to) (\S+?)(?: apart)?(?:, forever)?$`)
)

// looks are what a run repeats in which nothing is done.
var looks = []string{
	"the controller cannot tell the state of the release", "a dependency is not ready", "the source is not ready", "the values cannot be read",
}

// read returns what a sentence says.
func read(text string, endless bool) (told, error) {
	m := sentenceForm.FindStringSubmatch(text)
	if m == nil {
		return told{}, fmt.Errorf("no such sentence")
	}
	t := told{end: m[2], running: m[4], human: m[5] == " and a human is needed"}
	before := m[1]
	if m[3] != "" {
		t.ignored = list(m[3])
	}
	if endless {
		e := endlessForm.FindStringSubmatch(m[2])
		if e == nil {
			return t, fmt.Errorf("no repetition in %q", m[2])
		}
		t.end, t.every = e[1], e[2]
		if !slices.Contains(looks, e[1]) {
			t.round = list(e[1])
		}
	} else if m := timeForm.FindStringSubmatch(before); m != nil {
		before, t.after = m[1], m[2]
	}
	return t, t.readPassages(before)
}

func (t *told) readPassages(text string) error {
	t.passages = []toldPassage{{count: map[string]int{}}}
	if text == "" {
		return nil
	}
	for _, part := range strings.Split(text, ", then ") {
		for _, item := range list(part) {
			last := &t.passages[len(t.passages)-1]
			m := countForm.FindStringSubmatch(item)
			if m == nil {
				t.passages = append(t.passages, toldPassage{item, map[string]int{}})
				continue
			}
			n, err := strconv.Atoi(m[1])
			if err != nil {
				n = 1
			}
			last.count[m[2]] += n
		}
	}
	return nil
}

func list(text string) []string {
	return strings.Split(strings.ReplaceAll(text, " and ", ", "), ", ")
}

// compare returns what is wrong with a sentence about a run.
func compare(text string, out Outcome, j journal) error {
	t, err := read(text, out.Endless())
	if err != nil {
		return err
	}
	var nouns []string
	for _, e := range j.events {
		nouns = append(nouns, e.what)
	}
	var said []string
	for _, p := range t.passages[1:] {
		said = append(said, p.event)
	}
	switch {
	case !slices.Equal(append(said, t.ignored...), nouns):
		return fmt.Errorf("it tells of the events %q, %q and not of %q", said, t.ignored, nouns)
	case out.Endless() && (len(t.round) == 0) != slices.Contains([]string{reasonStateError, reasonDependencyNotReady, reasonSourceNotReady, reasonValuesError}, out.Reason):
		return fmt.Errorf("it repeats %q: %+v", t.round, out)
	case len(t.ignored) > 0 && j.events[len(said)].before != len(j.steps):
		return fmt.Errorf("something was done after %q", t.ignored)
	case t.human != out.NeedsHuman, !strings.Contains(t.running, string(out.Running)):
		return fmt.Errorf("it says %q, %t: %+v", t.running, t.human, out)
	case t.every != "" && t.every != Readable(out.Every.Duration), t.after != "" && t.after != Readable(out.After.Duration):
		return fmt.Errorf("it says %q, %q: %+v", t.every, t.after, out)
	case out.End == Stalled && !strings.HasSuffix(t.end, "Stalled with "+out.Reason), out.End == Ready && !strings.Contains(t.end, "is Ready"), (out.End == Deleted) != (t.end == "the HelmRelease is gone"):
		return fmt.Errorf("it ends with %q: %+v", t.end, out)
	}
	start := 0
	for i, p := range t.passages {
		rest := j.steps[start:]
		if i < len(said) {
			rest = rest[:j.events[i].before-start]
			start = j.events[i].before
		}
		var err error
		if i == len(said) && out.Endless() {
			err = repeats(p.count, t.round, rest)
		} else if want := countOf(rest); !maps.Equal(p.count, want) {
			err = fmt.Errorf("it counts %v after %q instead of %v", p.count, p.event, want)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// repeats returns how steps differ from those that are counted first and then
// repeat a round to the end.
func repeats(count map[string]int, round []string, steps []Step) error {
	for n := range len(steps) + 1 {
		if !maps.Equal(count, countOf(steps[:n])) {
			continue
		}
		if rest := steps[n:]; len(round) == 0 && len(rest) == 0 || len(round) > 0 && len(rest) >= 2*len(round) && follows(round, rest) {
			return nil
		}
	}
	return fmt.Errorf("after %v it repeats %q", count, round)
}

func follows(round []string, steps []Step) bool {
	for i, s := range steps {
		if round[i%len(round)] != clauseOf(s) {
			return false
		}
	}
	return true
}

func clauseOf(s Step) string {
	switch {
	case s.Result == Fail && s.Revision == 0:
		return "the " + string(s.Action) + " fails before it changes anything"
	case s.Result == Fail:
		return "the " + string(s.Action) + " fails"
	case s.Action == Rollback:
		return "it is rolled back"
	case s.Action == Uninstall:
		return "it is uninstalled"
	case s.Action == Unlock:
		return "it is unlocked"
	}
	return "the " + string(s.Action) + " succeeds"
}

// countOf counts what went wrong and what was undone.
func countOf(steps []Step) map[string]int {
	count := map[string]int{}
	for _, s := range steps {
		switch {
		case s.Result == Killed:
			count["interrupted "+string(s.Action)]++
		case s.Result == Fail:
			count["failed "+string(s.Action)]++
		case s.Action == Rollback || s.Action == Uninstall:
			count[string(s.Action)]++
		}
	}
	return count
}

// randomSettings returns settings of a release, most of them as people have them.
func randomSettings(random *rand.Rand) release.Settings {
	flag := func() bool { return random.IntN(4) == 0 }
	retries := func() int { return []int{0, 0, 1, 3, 10, -1}[random.IntN(6)] }
	duration := func(all ...time.Duration) release.Duration {
		return release.Duration{Duration: all[random.IntN(len(all))]}
	}
	timeout := func() release.Duration { return duration(5*time.Minute, 90*time.Second, 0) }
	half := func() release.Half {
		h := release.Half{
			Strategy: release.RemediateOnFailure, Remediation: release.Rollback, Retries: retries(), Timeout: timeout(),
			RemediateLastFailure: flag(), DisableWait: flag(), IgnoreTestFailures: flag(),
		}
		if random.IntN(2) == 0 {
			h.Strategy, h.RetryInterval = release.RetryOnFailure, duration(5*time.Minute, time.Minute, 0)
		}
		return h
	}
	s := release.Settings{
		DriftDetection: []string{"disabled", "warn", "enabled", "enabled"}[random.IntN(4)],
		Suspend:        random.IntN(20) == 0, Interval: duration(time.Hour, 10*time.Minute, 0), MaxHistory: random.IntN(6),
		Install: half(), Upgrade: half(),
		Test:      release.TestSettings{Enable: flag(), IgnoreFailures: flag(), Timeout: timeout()},
		Uninstall: release.UninstallSettings{KeepHistory: flag(), DisableWait: flag(), Timeout: timeout()},
		Rollback:  release.RollbackSettings{DisableWait: flag(), Timeout: timeout()},
	}
	s.Install.Remediation, s.Install.Replace = release.Uninstall, flag()
	s.Upgrade.PreserveValues = flag()
	if random.IntN(2) == 0 {
		s.Upgrade.Remediation = release.Uninstall
	}
	return s
}
