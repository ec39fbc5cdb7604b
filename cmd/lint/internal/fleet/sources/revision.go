package sources

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// OtherRevision reports whether a source is the repository that is judged, but
// another revision of it than the one at hand: it names a commit, a tag, or a
// branch other than the source of the entry does. Where the tree does not have
// that source, any branch may be the one at hand.
func OtherRevision(source, own map[string]any) bool {
	ref, ownRef := refOf(source), refOf(own)
	if source == nil || reflect.DeepEqual(ref, ownRef) {
		return false
	}
	_, branchOnly := ref["branch"]
	return own != nil || !branchOnly || len(ref) > 1
}

// refOf returns spec.ref of a GitRepository; master without one, as
// source-controller has it.
func refOf(source map[string]any) map[string]any {
	if ref, _ := object.At(source, "spec", "ref").(map[string]any); len(ref) > 0 {
		return ref
	}
	return map[string]any{"branch": "master"}
}

// Revision returns the source that another revision of the tree is.
func (s *Set) Revision(source map[string]any) (*build.Source, error) {
	ref := refOf(source)
	name, label, err := revisionOf(ref, s.index.Files)
	if err != nil {
		return nil, err
	}
	at := s.trees.Of(label, func() (out revised) {
		out.files, out.err = s.at(name, label)
		return out
	})
	if at.err != nil {
		return nil, at.err
	}
	return s.Content("the repository at "+label, label, at.files, source)
}

// revised is another revision of the tree, or why it cannot be read.
type revised struct {
	files *tree.Tree
	err   error
}

// revisionOf returns how Git names what a ref of a GitRepository selects, and how
// people do.
// Source: source-controller, GitRepositoryRef: commit, then name, semver, tag and
// branch.
func revisionOf(ref map[string]any, files *tree.Tree) (name, label string, err error) {
	text := func(key string) string { return object.String(ref, key) }
	switch {
	case text("commit") != "":
		return text("commit"), text("commit"), nil
	case text("name") != "":
		return text("name"), text("name"), nil
	case text("semver") != "":
		tag, err := newestTag(text("semver"), files)
		return "refs/tags/" + tag, tag, err
	case text("tag") != "":
		return "refs/tags/" + text("tag"), text("tag"), nil
	case text("branch") != "":
		return text("branch"), text("branch"), nil
	}
	return "", "", errors.New("its ref names no revision")
}

// newestTag returns the tag of the highest version in a range.
func newestTag(expression string, files *tree.Tree) (string, error) {
	within, err := semver.NewConstraint(expression)
	if err != nil {
		return "", fmt.Errorf("its ref has the range %q: %w", expression, err)
	}
	tags, err := files.Tags()
	if err != nil {
		return "", err
	}
	best, newest := "", (*semver.Version)(nil)
	for _, tag := range tags {
		version, err := semver.StrictNewVersion(strings.TrimPrefix(tag, "v"))
		if err == nil && within.Check(version) && (newest == nil || version.GreaterThan(newest)) {
			best, newest = tag, version
		}
	}
	if best == "" {
		return "", fmt.Errorf("no tag of the repository is in the range %q of its ref", expression)
	}
	return best, nil
}
