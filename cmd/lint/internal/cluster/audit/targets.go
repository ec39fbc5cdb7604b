package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"

	"github.com/bmatcuk/doublestar/v4"
)

// target is a cluster that is asked.
type target struct {
	// name is that of the context, with the file before it where files have the same one;
	// empty for the current context.
	name   string
	access live.Access
}

// targets returns the clusters that are asked, of each kubeconfig in the order of their names.
// A file of a folder that cannot be read hides no other.
func (o *Options) targets(c *collector) ([]target, error) {
	files, folder, err := kubeconfigs(o.Kubeconfig)
	if err != nil {
		return nil, err
	}
	if len(o.Contexts) == 0 && !o.All && !folder {
		return []target{{access: o.limited(files[0], false)}}, nil
	}
	var all []target
	matched := map[string]bool{}
	for _, file := range files {
		access, err := o.limited(file, o.All || folder || several(o.Contexts)).Read()
		if err != nil && !folder {
			return nil, err
		}
		if err != nil {
			c.problem(err)
			continue
		}
		names, err := access.Contexts()
		if err != nil {
			return nil, err
		}
		for _, name := range o.chosen(names, matched) {
			access.Context = name
			all = append(all, target{name, access})
		}
	}
	for _, pattern := range o.Contexts {
		switch {
		case matched[pattern]:
		case folder || isGlob(pattern):
			return nil, fmt.Errorf("--context %s: no context of the kubeconfig matches", pattern)
		default: // its error hides no other
			access := o.limited(files[0], true)
			access.Context = pattern
			all = append(all, target{pattern, access})
		}
	}
	if len(all) == 0 && len(o.Contexts) == 0 && len(c.problems) == 0 {
		return nil, errors.New("no cluster is known: there is no kubeconfig (--kubeconfig, $KUBECONFIG, ~/.kube/config), or it has no context")
	}
	return distinct(all), nil
}

// several reports whether contexts may be more than one.
func several(contexts []string) bool {
	return len(contexts) > 1 || slices.ContainsFunc(contexts, isGlob)
}

func isGlob(pattern string) bool { return strings.ContainsAny(pattern, "*?[{") }

// limited returns the access to a kubeconfig. One of several clusters has a limit even if none
// is given.
func (o *Options) limited(file string, several bool) live.Access {
	access := o.Access
	access.Kubeconfig, access.Limit = file, o.ClusterTimeout
	if several && access.Limit == 0 {
		access.Limit = clusterTimeout
	}
	return access
}

// chosen returns the contexts that are asked for, and notes what has matched. A pattern that is a
// name means that one.
func (o *Options) chosen(names []string, matched map[string]bool) []string {
	if len(o.Contexts) == 0 {
		return names
	}
	var all []string
	for _, pattern := range o.Contexts {
		named := slices.Contains(names, pattern)
		for _, name := range names {
			if name == pattern || !named && doublestar.MatchUnvalidated(pattern, name) {
				all, matched[pattern] = append(all, name), true
			}
		}
	}
	return words.Distinct(all)
}

// kubeconfigs returns the files of a folder; a file, or none, is itself.
func kubeconfigs(at string) (all []string, folder bool, err error) {
	if info, err := os.Stat(at); at == "" || err != nil || !info.IsDir() {
		return []string{at}, false, nil // an error is told by whoever reads it
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return nil, true, fmt.Errorf("--kubeconfig: %w", err)
	}
	for _, entry := range entries {
		if file := filepath.Join(at, entry.Name()); isFile(file) && !strings.HasPrefix(entry.Name(), ".") {
			all = append(all, file)
		}
	}
	if len(all) == 0 {
		return nil, true, fmt.Errorf("--kubeconfig %s: the folder holds no files", at)
	}
	return all, true, nil
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().Type()&fs.ModeType == 0
}

// distinct puts the file before the names that several files have.
func distinct(all []target) []target {
	times := map[string]int{}
	for _, t := range all {
		times[t.name]++
	}
	for i, t := range all {
		if times[t.name] > 1 {
			file := filepath.Base(t.access.Kubeconfig)
			all[i].name = strings.TrimSuffix(file, filepath.Ext(file)) + "/" + t.name
		}
	}
	return all
}
