package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/ignore"

	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
)

// kept returns the files of a chart's folder that its .helmignore does not leave out, as source-controller
// packs them (internal/helm/chart/secureloader). A dependency that was laid into it has its own.
func kept(job charts.Job) ([]*archive.BufferedFile, error) {
	rules := map[string]*ignore.Rules{}
	for _, root := range append([]string{""}, job.Laid...) {
		r, err := ignore.Parse(bytes.NewReader(job.Files[path.Join(root, ignore.HelmIgnore)]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(root, ignore.HelmIgnore), err)
		}
		r.AddDefaults()
		rules[root] = r
	}
	var out []*archive.BufferedFile
	for _, name := range slices.Sorted(maps.Keys(job.Files)) {
		root := "" // the innermost chart that has the file
		for _, laid := range job.Laid {
			if (name == laid || strings.HasPrefix(name, laid+"/")) && len(laid) > len(root) {
				root = laid
			}
		}
		if !ignored(rules[root], strings.TrimPrefix(strings.TrimPrefix(name, root), "/")) {
			out = append(out, &archive.BufferedFile{Name: name, Data: job.Files[name]})
		}
	}
	return out, nil
}

// ignored reports whether rules leave out a file, or a folder that it is in.
func ignored(rules *ignore.Rules, name string) bool {
	for at, c := range name {
		if c == '/' && rules.Ignore(name[:at], entry{dir: true}) {
			return true
		}
	}
	return rules.Ignore(name, entry{})
}

// entry is what rules ask of a file or a folder.
type entry struct {
	fs.FileInfo
	dir bool
}

// IsDir reports whether it is a folder.
func (e entry) IsDir() bool { return e.dir }
