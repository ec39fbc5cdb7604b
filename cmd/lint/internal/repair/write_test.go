package repair

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// What is found still after the files are written takes the repairs back.
func TestWriteTakesBack(t *testing.T) {
	const text = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a, namespace: x}\nspec: {interval: 1h, chartRef: {kind: OCIRepository, name: a}}\n"
	file := filepath.Join(t.TempDir(), "a.yaml")
	writeFile(t, file, []byte(text))
	f := repairerOf(t, newEngine(t), &rules.Config{}, file, nil, nil, func(r *effective.Release) { r.Tier = release.Production })
	was := f.state
	if err := f.Run(); err != nil || len(f.made) == 0 {
		t.Fatal(err, f.made)
	}
	if _, err := f.Write(func() (judge.State, error) { return was, nil }); err == nil || !strings.Contains(err.Error(), "is found after them too") {
		t.Errorf("got %v", err)
	}
	if got := string(readFile(t, file)); got != text {
		t.Errorf("the file holds %q, want %q", got, text)
	}
}
