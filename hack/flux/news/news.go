package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is where modules come from.
type source struct {
	run func(args ...string) ([]byte, error) // runs a program in the repository
	dir string                               // the repository
}

// item is a version of a module that is newer than what is known, or what cannot be known of it.
type item struct {
	module          module
	version         string
	changes         []string
	cannotBeHad     string // the reason
	versionsUnknown string // the reason
}

// news returns what is newer, for each module in its order. Of several versions of a module it says of the newest
// that can be had what it changes.
func news(known []module, from source) []item {
	var out []item
	var ofAPI []string // helm-controller and its API have the same versions
	for _, m := range known {
		versions, err := from.versions(m)
		if err != nil {
			out = append(out, item{module: m, versionsUnknown: shortened(err)})
		}
		if m.name == helmAPI {
			ofAPI = versions
		}
		if m.name == "helm-controller" {
			versions = append(versions, ofAPI...)
		}
		for _, version := range newerThan(m.known, versions) {
			it := item{module: m, version: version}
			if it.changes, err = from.changes(m, version); err != nil {
				it.cannotBeHad = shortened(err)
			}
			out = append(out, it)
			if err == nil {
				break
			}
		}
	}
	return out
}

func (s source) versions(m module) ([]string, error) {
	out, err := s.run("go", "list", "-m", "-versions", "-json", owner+m.name)
	if err != nil {
		return nil, err
	}
	return listed(out)
}

func (s source) changes(m module, version string) ([]string, error) {
	if m.name == helmAPI {
		return s.changesOfAPI(m, version)
	}
	after, err := s.download(m.name, version)
	if err != nil {
		return nil, err
	}
	before, err := s.download(m.name, m.known)
	if err != nil {
		return nil, fmt.Errorf("the version before it: %w", err)
	}
	out, err := changesOfDefinitions(before, after)
	if err != nil {
		return nil, err
	}
	was, err := gatesIn(before)
	if err != nil {
		return nil, err
	}
	is, err := gatesIn(after)
	return append(out, gateChanges(was, is)...), err
}

func (s source) download(name, version string) (string, error) {
	out, err := s.run("go", "mod", "download", "-json", owner+name+"@"+version)
	if found, parsed := folder(out); err == nil || parsed == nil {
		return found, parsed
	} else if len(out) > 0 {
		err = parsed // what it prints says more than that it failed
	}
	return "", err
}

// changesOfAPI compares definitions that are made from the Go types.
func (s source) changesOfAPI(m module, version string) ([]string, error) {
	before, err := os.ReadFile(filepath.Join(s.dir, "testdata/crds", "helmreleases-"+m.known[1:]+".yaml"))
	if err != nil {
		return nil, err
	}
	made, err := s.run("hack/flux/crds.sh", "-", version[1:])
	if err != nil {
		return nil, err
	}
	return definitionChanges("HelmRelease", before, made)
}

const definitions = "config/crd/bases"

// changesOfDefinitions compares the definitions in two folders of a module.
func changesOfDefinitions(before, after string) ([]string, error) {
	was, err := filesIn(filepath.Join(before, definitions))
	if err != nil {
		return nil, err
	}
	is, err := filesIn(filepath.Join(after, definitions))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range both(was, is) {
		_, kind, _ := strings.Cut(strings.TrimSuffix(name, ".yaml"), "_")
		if was[name] == nil || is[name] == nil {
			out = append(out, fmt.Sprintf("%s: defined %v, was %v", kind, is[name] != nil, was[name] != nil))
			continue
		}
		changes, err := definitionChanges(kind, was[name], is[name])
		if err != nil {
			return nil, err
		}
		out = append(out, changes...)
	}
	return out, nil
}

func filesIn(dir string) (map[string][]byte, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	out := map[string][]byte{}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if out[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return out, err
}

func gatesIn(dir string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "internal/features/features.go"))
	if err != nil {
		return nil, err
	}
	return gates(text)
}
