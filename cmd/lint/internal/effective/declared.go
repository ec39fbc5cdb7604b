package effective

import (
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
)

// declared lists the clusters that the configuration declares and whose folder is in the
// tree of an input.
func (o *Options) declared(in Input) []entries.Declared {
	var out []entries.Declared
	for i, d := range o.Config.Spec.Clusters {
		at, ok := filepath.ToSlash(filepath.Clean(d.Path)), true
		if o.ConfigDir != "" {
			at, ok = in.Files.Path(filepath.Join(o.ConfigDir, d.Path))
		}
		if ok {
			out = append(out, entries.Declared{Name: d.Name, Path: at, Source: d.Source, File: o.ConfigFile, Line: o.lineOf("spec", "clusters", i)})
		}
	}
	return out
}

// lineOf returns the line of the configuration that writes a path.
func (o *Options) lineOf(path ...any) int {
	if o.ConfigLine == nil {
		return 1
	}
	return max(1, o.ConfigLine(path...))
}
