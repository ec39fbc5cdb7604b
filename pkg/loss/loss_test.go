package loss

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// recording is a chart that the real helm-controller has installed, uninstalled and installed
// again, or upgraded (hack/flux/loss_test.go).
type recording struct {
	name, spec                    string
	templates, next, others, crds []map[string]any
	vanished, replaced            []string
}

func recordings(t *testing.T) []recording {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "loss", "*.txtar"))
	if err != nil || len(files) < 25 {
		t.Fatal(err, len(files), "recordings")
	}
	var out []recording
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := recording{name: strings.TrimSuffix(filepath.Base(file), ".txtar")}
		for _, f := range archive.Files {
			switch name := f.Name; {
			case name == "rendered.yaml":
				r.templates = parse(t, f.Data)
			case strings.HasPrefix(name, "next/"):
				r.next = append(r.next, parse(t, f.Data)...)
			case strings.HasPrefix(name, "others/"):
				r.others = append(r.others, parse(t, f.Data)...)
			case strings.HasPrefix(name, "crds/"):
				r.crds = append(r.crds, parse(t, f.Data)...)
			case name == "spec.yaml":
				r.spec = string(f.Data)
			case name == "vanished.txt":
				r.vanished = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			case name == "replaced.txt":
				r.replaced = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			}
		}
		if r.vanished == nil {
			t.Errorf("%s is not recorded", r.name)
		}
		out = append(out, r)
	}
	return out
}

func parse(t *testing.T, text []byte) []map[string]any {
	t.Helper()
	out, err := Documents(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What vanished when the real controller uninstalled is what is foretold, and nothing else is.
func TestFates(t *testing.T) {
	for _, r := range recordings(t) {
		if r.next != nil {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			release := Release{Namespace: "loss-" + r.name, Documents: r.templates, Definitions: r.crds, Orphan: strings.Contains(r.spec, "orphan"), NoHooks: strings.Contains(r.spec, "disableHooks")}
			for _, other := range r.others { // Helm knows nothing of it, as of what it keeps
				release.Documents = append(release.Documents, keep(other))
			}
			now, later := []string{}, []string{}
			for _, f := range Fates(release) {
				switch {
				case f.Later:
					later = append(later, f.Object.String())
				case f.Deleted:
					now = append(now, f.Object.String())
				}
			}
			compare(t, "the uninstall deletes", now, r.vanished)
			compare(t, "the next install deletes", later, r.replaced)
		})
	}
}

// What an upgrade deleted and held data is what is foretold of the two versions.
func TestDropped(t *testing.T) {
	for _, r := range recordings(t) {
		if r.next == nil {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			var dropped []string
			for _, f := range Dropped(Release{Documents: r.templates}, Release{Documents: r.next}) {
				dropped = append(dropped, f.Object.String())
				for _, other := range r.others {
					dropped = append(dropped, Release{}.named(other).String()) // with its definition
				}
			}
			compare(t, "the upgrade deletes", dropped, r.vanished)
		})
	}
}

func keep(object map[string]any) map[string]any {
	object["metadata"].(map[string]any)["annotations"] = map[string]any{policyAnnotation: "keep"}
	return object
}

func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	want = slices.DeleteFunc(slices.Clone(want), func(s string) bool { return s == "" })
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s %q, as was foretold; in truth %q", what, got, want)
	}
}
