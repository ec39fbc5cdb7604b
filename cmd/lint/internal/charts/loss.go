package charts

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/loss"
)

// Contents are what a Helm release consists of.
type Contents struct {
	loss.Release
	// Other is the same with other values in place of what Secrets supply; nil if they supply none. It is empty
	// where the chart refuses those.
	Other *loss.Release
}

// Release returns what the Helm release of a query consists of. If that is not known, or not
// surely, it says why.
func (l *Library) Release(q Query) (*Contents, string) {
	var other *Result
	result, err := l.rendered(q)
	given := result != nil
	if given {
		_, _ = q.values() // it was rendered with them: what is secret in them is to be known
	}
	if result == nil && err == nil {
		var job Job
		if job, err = l.job(q); err == nil {
			result, err = l.render(job)
		}
		if err == nil {
			other, err = l.otherwise(job, q)
		}
	}
	if err != nil {
		return nil, err.Error()
	}
	if other != nil {
		public := WordsOf(append(other.Asks, other.Problem)...)
		result.Problem = public.Hide(result.Problem, q.Instead)
		result.Asks = slices.Clone(result.Asks)
		for i := range result.Asks {
			result.Asks[i] = public.Hide(result.Asks[i], q.Instead)
		}
	}
	if result.Problem != "" {
		return nil, strings.TrimSpace("its chart "+result.Chart) + " cannot be rendered: " + result.Problem
	}
	doubt := ""
	if len(result.Asks) > 0 {
		doubt = fmt.Sprintf("its chart %s asks the cluster for %s: what it renders may depend on that", result.Chart, strings.Join(result.Asks, ", "))
	}
	out := &Contents{Release: result.release(q)}
	out.Given = given
	if other != nil {
		of := other.release(q)
		out.Other = &of
	}
	return out, doubt
}

func (r *Result) release(q Query) loss.Release {
	return loss.Release{Chart: r.Chart, Namespace: q.Namespace, Documents: r.Documents, Definitions: r.Definitions}
}

// otherwise renders a job with other secrets; nil if it has none.
func (l *Library) otherwise(job Job, q Query) (*Result, error) {
	other, is := job.otherwise(q.Holds)
	if !is {
		return nil, nil
	}
	return l.render(other)
}

// render renders a job once.
func (l *Library) render(job Job) (*Result, error) {
	text, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%x", sha256.Sum256(text))
	if out, done := l.results[key]; done {
		return &out, nil
	}
	var out Result
	if err := l.Render(job, &out); err != nil {
		return nil, fmt.Errorf("its templates %w", err)
	}
	if l.results == nil {
		l.results = map[string]Result{}
	}
	l.results[key] = out
	return &out, nil
}

// ofDefinitions is the comment with which helm template names a file of crds/.
var ofDefinitions = regexp.MustCompile(`(?m)^# Source: \S*/crds/`)

// rendered returns what the folder of rendered releases has of a release: NAMESPACE/NAME.yaml, or the
// files of NAMESPACE/NAME/, below a folder of the cluster's name if there is one.
func (l *Library) rendered(q Query) (*Result, error) {
	if l.Rendered == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(l.Rendered) // no link leads out of it
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, dir := range []string{q.Cluster, ""} {
		name := path.Join(dir, object.Namespace(q.Object), object.Name(q.Object))
		files, err := manifests(root.FS(), name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(l.Rendered, name), err)
		}
		if len(files) > 0 {
			return parse(path.Base(l.Rendered)+"/"+name, files)
		}
	}
	return nil, nil
}

// manifests reads a file NAME.yaml, or the YAML files of a folder NAME; none if neither is there. Which of
// both holds, nothing says.
func manifests(folder fs.FS, name string) ([]string, error) {
	if !fs.ValidPath(name) {
		return nil, nil
	}
	info, missing := fs.Stat(folder, name)
	text, err := readFile(folder, name+".yaml", maxChart)
	switch there := !errors.Is(err, fs.ErrNotExist); {
	case there && missing == nil && info.IsDir():
		return nil, fmt.Errorf("the file %s.yaml is beside this folder: remove the one that is not the release", path.Base(name))
	case there:
		return []string{string(text)}, err
	case errors.Is(missing, fs.ErrNotExist):
		return nil, nil
	case missing != nil:
		return nil, missing
	}
	sub, err := fs.Sub(folder, name)
	if err != nil {
		return nil, err
	}
	out, err := yamlFiles(sub)
	if err == nil && len(out) == 0 {
		err = errors.New("has no file that ends with .yaml or .yml")
	}
	return out, err
}

// yamlFiles returns the YAML files of a folder, sorted by their paths.
func yamlFiles(folder fs.FS) ([]string, error) {
	files, err := folderFiles(folder)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, file := range slices.Sorted(keys(files)) {
		if ext := path.Ext(file); ext == ".yaml" || ext == ".yml" {
			text := string(files[file])
			if strings.Contains("/"+file, "/crds/") {
				text = "# Source: " + file + "\n" + text
			}
			out = append(out, text)
		}
	}
	return out, nil
}
