package incident

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// night is a status of a release in trouble, as the real helm-controller has left it.
type night struct {
	Run    string
	At     float64 // seconds after the release was created
	Object map[string]any
}

func nights(t *testing.T) []night {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "..", "..", "..", "testdata", "incident", "nights.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []night
	for in := json.NewDecoder(lines); in.More(); {
		var n night
		if err := in.Decode(&n); err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}

// TestNightsSaid: whenever somebody asks in the recorded nights, no controller that runs is accused, nothing is called
// failing that has not failed, and what may delete comes last and with its risk.
func TestNightsSaid(t *testing.T) {
	said := map[string]int{}
	for _, n := range nights(t) {
		r, err := release.Decode(n.Object, release.Controller{})
		if err != nil {
			t.Fatal(err)
		}
		live, err := release.LiveOf(n.Object)
		if err != nil {
			t.Fatal(err)
		}
		i := Of(r, live, nil, live.Since.Add(time.Duration(n.At*float64(time.Second))), Address{})
		word, _, _ := strings.Cut(i.State, " ")
		said[strings.Trim(word, ":,;")]++
		failed := live.Condition("Released") != nil || live.Condition("Ready") != nil && live.Condition("Ready").Status == "False"
		all := i.State + "\n" + strings.Join(i.Next, "\n")
		for fault, is := range map[string]bool{
			"accuses a controller that runs":     strings.Contains(all, Overdue) || strings.Contains(all, "interrupted"),
			"names no reason":                    strings.Contains(all, "()"),
			"calls failing what has not failed":  strings.HasPrefix(i.State, "failing") && !failed,
			"advises a busy release":             strings.HasPrefix(i.State, "busy") && len(i.Revive) > 0,
			"is not ready and says nothing more": !i.Healthy && len(i.Next) == 0,
		} {
			if is {
				t.Errorf("%s at %.1fs %s:\n%s", n.Run, n.At, fault, all)
			}
		}
		for at, way := range i.Revive {
			deletes := strings.Contains(way.Do, "helm uninstall")
			if way.Risk == "" || deletes && (at < len(i.Revive)-1 || !strings.HasPrefix(way.Risk, "high")) {
				t.Errorf("%s at %.1fs: way %d of %d is %+v", n.Run, n.At, at+1, len(i.Revive), way)
			}
		}
	}
	for _, word := range []string{"new", "busy", "failing", "stuck", "Ready", "not"} {
		if said[word] == 0 {
			t.Errorf("nothing is %s: %v", word, said)
		}
	}
}
