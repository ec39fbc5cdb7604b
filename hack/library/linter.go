package library

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// verdict is what flux-remedy says of a tree.
type verdict struct {
	releases     map[string][]rendered // by namespace/name: each content that a Kustomization gives it
	undetermined []string
	problems     []string
}

// rendered is a release that render prints.
type rendered struct {
	Cluster, Namespace, Name, File string
	Unknown                        map[string]string
	Object                         map[string]any
}

// ask returns what a program says of trees, each in the folder of its number.
func ask(program, dir string, folders []string) (map[string]*verdict, error) {
	out := map[string]*verdict{}
	for _, folder := range folders {
		out[folder] = &verdict{releases: map[string][]rendered{}}
	}
	cmd := exec.Command(program, append([]string{"render", "--timeout", "1h", "--show-secrets", "-o", "json"}, folders...)...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	var releases []rendered
	if broken := json.Unmarshal(stdout.Bytes(), &releases); broken != nil {
		return nil, fmt.Errorf("%w, %w\n%s", err, broken, stderr.String())
	}
	for _, r := range releases {
		of, name := out[folderOf(r.File)].releases, r.Namespace+"/"+r.Name
		of[name] = append(of[name], r)
	}
	var of *verdict
	for line := range strings.Lines(stderr.String()) {
		text, first := strings.CutPrefix(line, "flux-remedy: ")
		reason, undetermined := strings.CutPrefix(text, "undetermined: ")
		if known := out[folderOf(reason)]; first && known != nil {
			of = known
		}
		switch {
		case of == nil:
			return nil, fmt.Errorf("what is it about? %s", line)
		case first && undetermined:
			of.undetermined = append(of.undetermined, reason)
		case first:
			of.problems = append(of.problems, reason)
		}
	}
	return out, nil
}

func folderOf(file string) string {
	first, _, _ := strings.Cut(filepath.ToSlash(file), "/")
	return first
}
