package draft

import (
	"path/filepath"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// A patch that has nothing left to patch goes, with what is said of it, and so does a list
// of nothing. Addresses are those before the edits.
func TestDropEmptied(t *testing.T) {
	const head = "spec:\n  wait: true\n  patches:\n"
	const retries = `    # few retries
    - target: {kind: HelmRelease}
      patch: |
        kind: HelmRelease
        metadata: {name: any}
        spec:
          install:
            remediation: {retries: 1}
`
	const labels = `    - patch: |
        metadata: {name: any, labels: {a: b}}
        spec: {install: {}}
`
	const operations = `    - patch: |
        - {op: remove, path: /spec/install}
`
	in := func(item int, path ...any) effective.Edit {
		return effective.Edit{At: yamledit.Address{{Path: []any{"spec", "patches", item, "patch"}}, {Path: path}}}
	}
	install := []any{"spec", "install", "remediation", "retries"}
	for name, test := range map[string]struct {
		text  string
		edits []effective.Edit
		want  string
	}{
		"only one":       {head + retries, []effective.Edit{in(0, install...)}, "spec:\n  wait: true\n"},
		"first of two":   {head + retries + labels, []effective.Edit{in(0, install...)}, head + labels},
		"first and last": {head + retries + labels + retries, []effective.Edit{in(2, install...), in(0, install...)}, head + labels},
		"twice":          {head + retries + labels, []effective.Edit{in(0, install...), in(0, "spec", "install"), in(0, install...)}, head + labels},
		"all":            {head + retries + operations, []effective.Edit{in(0, install...), in(1, 0)}, "spec:\n  wait: true\n"},
		"with a label":   {head + labels, []effective.Edit{in(0, "spec", "install")}, head + "    - patch: |\n        metadata: {name: any, labels: {a: b}}\n"},
		"an operation":   {head + labels + operations, []effective.Edit{in(1, 0)}, head + labels},
		"not emptied":    {head + "    - patch: |\n        metadata: {name: any}\n" + operations, []effective.Edit{in(1, 0)}, head + "    - patch: |\n        metadata: {name: any}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(folderWith(t, map[string]string{"a.yaml": test.text}), "a.yaml")
			for i := range test.edits {
				test.edits[i].File = file
			}
			files, err := open(t, file).With(test.edits)
			if err != nil {
				t.Fatal(err)
			}
			if err := files.Write(); err != nil {
				t.Fatal(err)
			}
			wantFile(t, file, test.want)
		})
	}
}
