package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/pkg/release"
)

// module is a Go module of Flux, and the version of it that is known: v1.7.1.
type module struct {
	name, known string
	pinned      string // the go.mod that names the version
}

const (
	owner   = "github.com/fluxcd/"
	helmAPI = "helm-controller/api"
)

// known returns the modules with the versions that a repository knows.
func known(root string) ([]module, error) {
	out := []module{{name: helmAPI, known: "v" + release.NewestAPI}}
	for _, m := range []module{
		{name: "helm-controller", pinned: "hack/flux/newest/helm-controller/go.mod"},
		{name: "kustomize-controller", pinned: "hack/flux/newest/kustomize-controller/go.mod"},
		{name: "source-controller", pinned: "hack/flux/sources/go.mod"},
	} {
		text, err := os.ReadFile(filepath.Join(root, m.pinned))
		if err != nil {
			return nil, err
		}
		file, err := modfile.ParseLax(m.pinned, text, nil)
		if err != nil {
			return nil, err
		}
		for _, require := range file.Require {
			if require.Mod.Path == owner+m.name {
				m.known = require.Mod.Version
			}
		}
		if m.known == "" {
			return nil, fmt.Errorf("%s does not require %s", m.pinned, m.name)
		}
		out = append(out, m)
	}
	return out, nil
}

// newerThan returns the released versions of a list that are newer, the newest first.
func newerThan(known string, versions []string) []string {
	var out []string
	for _, version := range versions {
		if semver.IsValid(version) && semver.Prerelease(version) == "" && semver.Compare(version, known) > 0 {
			out = append(out, version)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return semver.Compare(b, a) })
	return slices.Compact(out)
}

// listed reads what go list -m -versions -json prints.
func listed(out []byte) ([]string, error) {
	var module struct{ Versions []string }
	err := json.Unmarshal(out, &module)
	return module.Versions, err
}

// folder reads what go mod download -json prints: where a module was unpacked.
func folder(out []byte) (string, error) {
	var module struct{ Dir, Error string }
	if err := json.Unmarshal(out, &module); err != nil {
		return "", err
	}
	if module.Error != "" {
		return "", errors.New(module.Error)
	}
	if module.Dir == "" {
		return "", errors.New("it was not unpacked")
	}
	return module.Dir, nil
}

var address = regexp.MustCompile(`https?://\S+`)

// shortened returns the end of an error of the go command on one line, without addresses.
func shortened(err error) string {
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' })
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "go: downloading ") })
	text := strings.Join(strings.Fields(address.ReplaceAllString(strings.Join(lines, " "), "")), " ")
	if len(text) > 200 {
		text = "..." + text[len(text)-200:]
	}
	return text
}
