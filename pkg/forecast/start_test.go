package forecast

import (
	"reflect"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestInstalled: the state that most scenarios start from is the one that a
// good first install leads to.
func TestInstalled(t *testing.T) {
	for _, text := range []string{specDefaults, specRetry, specBounded, specTested, specBoth} {
		settings := decode(t, text, false)
		old := spec{Settings: &settings, desired: Old}
		s := simulate(fresh(old), world{}, Options{})
		if result := s.drive(); result != settled {
			t.Fatalf("%s: the install ends with %v", text, result)
		}
		if got, want := s.state.clone(), installed(old); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the install leads to\n%+v\nwant\n%+v", text, got, want)
		}
	}
}

// TestResume: a simulation that starts from the state which another has reached
// goes on like that one.
func TestResume(t *testing.T) {
	scenario, _ := Find("upgrade-fails")
	for _, text := range []string{specDefaults, specRetry, specBounded, specHalf, specKept, specTested} {
		settings := decode(t, text, false)
		whole := newSimulation(&settings, release.Controller{}, &scenario, Options{Rounds: 8})
		var resumed *simulation
		for range whole.reconciles() {
			if resumed == nil {
				resumed = simulate(whole.state.clone(), newWorld(&scenario, Options{}), Options{Rounds: 7})
			}
		}
		resumed.drive()
		if got, want := resumed.state.clone(), whole.state.clone(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: resumed, it ends in\n%+v\nwant\n%+v", text, got, want)
		}
	}
}

// TestDecideChangesNothing holds over all states that the scenarios lead to.
func TestDecideChangesNothing(t *testing.T) {
	for _, text := range []string{specDefaults, specRetry, specBounded, specHalf, specKept, specTested} {
		settings := decode(t, text, false)
		for _, scenario := range Scenarios() {
			s := newSimulation(&settings, release.Controller{}, &scenario, Options{Rounds: 8})
			for range s.reconciles() {
				s.status.history.sort()
				before := s.state.clone()
				decide(s.spec, s.status, s.storage, s.workload)
				if after := s.state.clone(); !reflect.DeepEqual(after, before) {
					t.Fatalf("%s of %s: a decision changes\n%+v\nto\n%+v", scenario.Name, text, before, after)
				}
			}
		}
	}
}
