package overview

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A part that is an hour older than another is named; the files of a folder are those that end in .json.
func TestMergeOld(t *testing.T) {
	dir := t.TempDir()
	for i, at := range []string{"2026-01-02T03:00:00Z", "2026-01-02T04:00:00Z", "2026-01-02T04:00:01Z"} {
		r := Of([]Release{}, []Cluster{{Name: fmt.Sprint(i)}}, []string{})
		r.Time, r.Shard = at, fmt.Sprintf("%d/3", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".json")), asJSON(t, r), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "audit.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Merge([]string{dir})
	want := filepath.Join(dir, "0.json") + " is of 2026-01-02 03:00:00 UTC, more than 1h before the latest: its clusters may be otherwise now"
	if err != nil || strings.Join(r.Problems, "\n") != want || r.Time != "2026-01-02T03:00:00Z" {
		t.Errorf("%v, %q, %s", err, r.Problems, r.Time)
	}
	if r, err = Merge([]string{filepath.Join(dir, "0.json")}); err == nil && r.Problems == nil {
		t.Error("problems are null in JSON")
	}
	if _, err := Merge([]string{t.TempDir()}); err == nil || !strings.Contains(err.Error(), "no .json files") {
		t.Error(err)
	}
}

// What cannot be one report is refused, or a problem.
func TestMergeRefuses(t *testing.T) {
	report := func(text string) string {
		return `{"apiVersion": "flux-remedy.io/v1alpha1", "kind": "AuditReport", ` + text + "}"
	}
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"other counts":  {[]string{report(`"shard": "0/2"`), report(`"shard": "1/3"`)}, "the same COUNT"},
		"shard and all": {[]string{report(`"shard": "0/2"`), report(`"clusters": [{"name": "a"}]`)}, "the same COUNT"},
		"no shard":      {[]string{report(`"shard": "2/2"`)}, "want INDEX/COUNT"},
		"a file":        {[]string{report(`"releases": []`)}, "it is of no cluster"},
		"readiness":     {[]string{report(`"readiness": {}`)}, "--readiness cannot be merged"},
		"policies":      {[]string{report(`"shard": "0/2", "policy": {"digest": "x"}`), report(`"shard": "1/2", "policy": {"digest": "y"}`)}, "do not compare"},
		"no report":     {[]string{"{}"}, "want a report"},
	} {
		var files []string
		for i, text := range c.files {
			files = append(files, filepath.Join(t.TempDir(), fmt.Sprint(i)))
			if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Merge(files)
		if got := fmt.Sprint(err, r.Problems); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	for _, text := range []string{"", "1", "1/", "/2", "2/2", "-1/2", "0/0", "a/b", "0/2/3"} {
		if err := new(Shard).Set(text); err == nil {
			t.Errorf("%q is read as a shard", text)
		}
	}
}

func asJSON(t *testing.T, r Report) []byte {
	t.Helper()
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return data
}
