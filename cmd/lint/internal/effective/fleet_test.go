package effective

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const fleets = "../../../../testdata/fleet"

// eachFleet runs a test over every example fleet.
func eachFleet(t *testing.T, f func(t *testing.T, dir string)) {
	t.Helper()
	dirs, err := os.ReadDir(fleets)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		t.Run(dir.Name(), func(t *testing.T) { f(t, filepath.Join(fleets, dir.Name())) })
	}
}

// Each fleet is one layout of a repository. Its golden file holds the releases, where
// each failure setting comes from, and what is undetermined.
func TestFleets(t *testing.T) {
	eachFleet(t, func(t *testing.T, dir string) {
		before := hash(t, dir)
		opts := Options{Config: configOf(t, dir)}
		got := describe(load(t, dir, opts), dir)
		if again := describe(load(t, dir, opts), dir); again != got {
			t.Errorf("a second run differs:\n%s\nfirst:\n%s", again, got)
		}
		if hash(t, dir) != before {
			t.Error("the tree was written to")
		}
		golden := filepath.Join("testdata", filepath.Base(dir)+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// configOf reads the configuration of a fleet, if it has one.
func configOf(t *testing.T, dir string) *rules.Config {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, rules.ConfigFile))
	if errors.Is(err, fs.ErrNotExist) {
		return &rules.Config{}
	}
	if err != nil {
		t.Fatal(err)
	}
	config, err := rules.ParseConfig(data)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// describe writes what was found as text, with paths relative to the tree.
func describe(tree *Tree, dir string) string {
	var b strings.Builder
	for _, r := range tree.Releases {
		fmt.Fprintf(&b, "%s/%s in %q, %s by %s, controller %s %v%s\n", r.Namespace, r.Name, r.Cluster, r.Tier, r.TierFrom,
			r.Controller.Version, r.Controller.Gates, by(r.ControllerFrom))
		for _, note := range r.ControllerNotes {
			fmt.Fprintf(&b, "  %s\n", note)
		}
		if r.TierIgnored != "" {
			fmt.Fprintf(&b, "  %s\n", r.TierIgnored)
		}
		fmt.Fprintf(&b, "  %s:%d", r.File, r.Line)
		for _, w := range r.AppliedBy {
			fmt.Fprintf(&b, " < %s", place(w))
		}
		b.WriteByte('\n')
		for _, u := range r.Unknown {
			fmt.Fprintf(&b, "  %s unknown: %s\n", u.Path, u.Reason)
		}
		for _, d := range r.Decided() {
			fmt.Fprintf(&b, "  %s = %v at %s\n", d.Path, d.Value, location(d.By))
		}
		for _, o := range overridesOf(r) {
			fmt.Fprintf(&b, "  %s overridden: %v at %s is %v by %s\n", o.Path, o.Written, location(o.At), o.Effective, location(o.By))
		}
	}
	for _, u := range tree.Undetermined {
		fmt.Fprintf(&b, "undetermined %s:%d %q %s: %s\n", u.File, u.Line, u.Cluster, u.Release, u.Reason)
	}
	for _, u := range tree.Unapplied {
		fmt.Fprintf(&b, "unapplied %s:%d %s: %s\n", u.File, u.Line, u.Release, u.Reason)
	}
	for _, p := range tree.Problems {
		fmt.Fprintf(&b, "problem %s:%d:%d %v\n", p.File, p.Line, p.Column, p.Err)
	}
	fmt.Fprintf(&b, "%d files, %d HelmRelease documents, %d of them patches\n", tree.Files, tree.Documents, tree.Partial)
	return strings.ReplaceAll(b.String(), filepath.Clean(dir)+"/", "")
}

func by(from string) string {
	if from == "" {
		return ""
	}
	return " by " + from
}

func location(l Location) string {
	out := fmt.Sprintf("%s:%d:%d", l.File, l.Line, l.Column)
	if !l.Exact {
		out += " (not exact)"
	}
	for _, w := range l.SetBy {
		out += ", " + place(w)
	}
	return out
}

func place(w Writer) string { return fmt.Sprintf("%s %s:%d", w.What, w.File, w.Line) }

// hash returns a hash of all names and contents below a folder.
func hash(t *testing.T, dir string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			fmt.Fprintln(sum, name)
			return err
		}
		data, err := os.ReadFile(name)
		fmt.Fprintln(sum, name, string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// The position of each failure setting holds its value, or the variable or the patch
// operation that it comes from, and the files of these places are those that decide for the release.
func TestLocateShowsTheValue(t *testing.T) {
	eachFleet(t, func(t *testing.T, dir string) {
		for _, r := range load(t, dir, Options{}).Releases {
			files, named := map[string]bool{r.File: true}, map[string]bool{r.File: true}
			for _, d := range r.Decided() {
				named[d.By.File] = true
				line := lineAt(t, d.By)
				value := fmt.Sprint(d.Value)
				if strings.Contains(line, "resourcesTemplate:") {
					continue // written somewhere in the text
				}
				if !strings.Contains(line, value) && !strings.Contains(line, "${") && !strings.Contains(line, "<<") {
					t.Errorf("%s/%s %s = %v, but %s:%d says %q", r.Namespace, r.Name, d.Path, d.Value, d.By.File, d.By.Line, line)
				}
			}
			for _, d := range r.DecidedIn() {
				files[d.File.Name] = true
			}
			if !maps.Equal(files, named) {
				t.Errorf("%s/%s is decided in %v, and its settings in %v", r.Namespace, r.Name, files, named)
			}
		}
	})
}

func lineAt(t *testing.T, at Location) string {
	t.Helper()
	data, err := os.ReadFile(at.File)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	if at.Line < 1 || at.Line > len(lines) {
		t.Fatalf("%s has no line %d", at.File, at.Line)
	}
	return lines[at.Line-1]
}

func TestClusters(t *testing.T) {
	dir := filepath.Join(fleets, "gates")
	tree := load(t, dir, Options{Clusters: []string{"stag*"}})
	if len(tree.Releases) != 1 || tree.Releases[0].Cluster != "staging" {
		t.Errorf("%d releases, want that of staging", len(tree.Releases))
	}
}

func TestConfiguredController(t *testing.T) {
	config := &rules.Config{}
	config.Spec.Controller.Version = "1.4.2"
	tree := load(t, filepath.Join(fleets, "gates"), Options{Config: config})
	for _, r := range tree.Releases {
		if r.Controller.Version != "1.4.2" {
			t.Errorf("%s/%s has controller %s", r.Cluster, r.Name, r.Controller.Version)
		}
	}
}

// A source in another repository can be given as a folder.
func TestMappedSource(t *testing.T) {
	vendor := write(t, "-- deploy/release.yaml --\n@vendored\n")
	files, err := tree.Folder(t.Context(), vendor, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree := load(t, filepath.Join(fleets, "broken"), Options{
		Sources: map[string]*tree.Tree{"GitRepository/flux-system/vendor": files},
	})
	var got []string
	for _, r := range tree.Releases {
		got = append(got, r.Name+" "+filepath.Base(r.File))
	}
	if want := "good release.yaml, vendored release.yaml"; strings.Join(got, ", ") != want {
		t.Errorf("releases %q, want %q", strings.Join(got, ", "), want)
	}
}

// Where somebody keeps their checkouts says nothing of what runs in a cluster.
func TestTierOfMappedSource(t *testing.T) {
	dir := write(t, `
-- dev/fleet/clusters/eu/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./deploy, sourceRef: {kind: OCIRepository, name: apps}}
-- dev/apps/deploy/release.yaml --
@shop
`)
	files, err := tree.Folder(t.Context(), filepath.Join(dir, "dev", "apps"), tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := load(t, filepath.Join(dir, "dev", "fleet"), Options{
		Sources: map[string]*tree.Tree{"OCIRepository/flux-system/apps": files},
	})
	if len(found.Releases) != 1 || found.Releases[0].TierFrom != "default" {
		t.Errorf("%d releases, the tier is from %q", len(found.Releases), found.Releases[0].TierFrom)
	}
}

// Equal ArtifactGenerators of two namespaces may name different sources.
func TestArtifactsOfNamespaces(t *testing.T) {
	text := ""
	for _, team := range []string{"a", "b"} {
		text += strings.ReplaceAll(`
-- fleet/clusters/eu/TEAM.yaml --
apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: apps, namespace: TEAM}
spec:
  sources: [{alias: apps, kind: OCIRepository, name: apps}]
  artifacts: [{name: apps, copy: [{from: "@apps/**", to: "@artifact/"}]}]
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: TEAM}
spec: {interval: 1h, prune: true, path: ./deploy, sourceRef: {kind: ExternalArtifact, name: apps}}
-- TEAM/deploy/release.yaml --
@TEAM
`, "TEAM", team)
	}
	dir := write(t, text+`
-- fleet/clusters/eu/flux-system/gotk-sync.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./clusters/eu, sourceRef: {kind: GitRepository, name: flux-system}}
`)
	sources := map[string]*tree.Tree{}
	for _, team := range []string{"a", "b"} {
		files, err := tree.Folder(t.Context(), filepath.Join(dir, team), tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sources["OCIRepository/"+team+"/apps"] = files
	}
	found := load(t, filepath.Join(dir, "fleet"), Options{Sources: sources})
	if got := names(found); got != "a:1 b:1" || len(found.Undetermined) > 0 {
		t.Errorf("releases %q, undetermined %v", got, found.Undetermined)
	}
}

func TestArtifactOfItself(t *testing.T) {
	found := load(t, write(t, `
-- clusters/eu/apps.yaml --
apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: apps, namespace: flux-system}
spec:
  sources: [{alias: apps, kind: ExternalArtifact, name: apps}]
  artifacts: [{name: apps, copy: [{from: "@apps/**", to: "@artifact/"}]}]
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./deploy, sourceRef: {kind: ExternalArtifact, name: apps}}
-- clusters/eu/flux-system/gotk-sync.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./clusters/eu, sourceRef: {kind: GitRepository, name: flux-system}}
`), Options{})
	if len(found.Undetermined) != 1 || !strings.Contains(found.Undetermined[0].Reason, "it makes apps of itself") {
		t.Errorf("undetermined %v", found.Undetermined)
	}
}

// A folder of a repository is resolved within the repository, and only the releases
// that it holds or applies are returned.
func TestFolderOfRepository(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(fleets, "postbuild"))); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	tree := load(t, filepath.Join(dir, "clusters", "dev"), Options{})
	if got := names(tree); got != "ingress-lab:1 raw:2" {
		t.Errorf("releases %q", got)
	}
}

// source-controller packs no symbolic links. A file that only a link leads to reaches
// no cluster, and a build that needs it fails.
func TestLinksAreNotPacked(t *testing.T) {
	dir := write(t, `
-- clusters/prod/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
-- apps/app.yaml --
@app
-- elsewhere/linked.yaml --
@linked
`)
	if err := os.Symlink("../elsewhere/linked.yaml", filepath.Join(dir, "apps", "linked.yaml")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range load(t, dir, Options{Unapplied: true}).Releases {
		got = append(got, r.Cluster+"/"+r.Name)
	}
	if want := "/linked prod/app"; strings.Join(got, " ") != want {
		t.Errorf("releases %q, want %q", got, want)
	}
}

// Kustomize would write out every alias of this file.
func TestAliasBombIsNotBuilt(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	dir := write(t, "-- kustomization.yaml --\nresources: [app.yaml, bomb.yaml]\n-- app.yaml --\n@app\n"+
		"-- bomb.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: bomb}\n"+bomb)
	tree := load(t, dir, Options{})
	if len(tree.Releases) != 0 || len(tree.Undetermined) != 2 {
		t.Errorf("releases %v, undetermined %v; want the build and its release undetermined", tree.Releases, tree.Undetermined)
	}
}
