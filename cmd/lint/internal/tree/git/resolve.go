package git

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// resolve returns the object that a revision names: a reference or a hash, with
// suffixes such as ~2, ^2 and ^{commit}.
func (r *Repository) resolve(rev string) (Hash, error) {
	base, suffix := rev, ""
	if i := strings.IndexAny(rev, "~^"); i >= 0 {
		base, suffix = rev[:i], rev[i:]
	}
	if !isRevision(base) || !suffixes().MatchString(suffix) {
		return Hash{}, errSyntax(rev)
	}
	h, err := r.named(base)
	for err == nil && suffix != "" {
		h, suffix, err = r.step(h, suffix)
	}
	if errors.Is(err, errNone) {
		return h, r.noRevision(rev)
	}
	return h, err
}

// suffixes matches what may follow the name of a revision.
var suffixes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([~^][0-9]{0,9}|\^\{(commit|tree|blob|tag|object)?\})*$`)
})

func errSyntax(rev string) error {
	return fmt.Errorf("%q is no revision that is understood: name a branch, a tag, a remote's branch, a hash, HEAD or @; "+
		"~N, ^N, ^{commit} and ^{tree} may follow", rev)
}

func (r *Repository) noRevision(rev string) error {
	if r.objects.shallow() {
		return fmt.Errorf("the repository has no revision %s (a shallow clone has not all of them)", rev)
	}
	return fmt.Errorf("the repository has no revision %s", rev)
}

// isRevision reports whether a name without suffix may be a reference or a
// hash.
func isRevision(name string) bool {
	return name != "" && name[0] != '-' && !strings.ContainsAny(name, ":\\ ?*[") &&
		!strings.Contains(name, "..") && !strings.Contains(name, "@{")
}

// named returns the object of a reference or of a hash, full or abbreviated.
func (r *Repository) named(name string) (Hash, error) {
	if name == "@" {
		name = "HEAD"
	}
	if h, ok := parseHash(name); ok {
		return h, nil
	}
	if _, h, ok := r.dir.reference(name); ok {
		return h, r.dir.single(name, h)
	}
	if len(name) >= 4 && len(name) < 2*len(Hash{}) && strings.Trim(name, "0123456789abcdefABCDEF") == "" {
		return r.abbreviated(strings.ToLower(name))
	}
	return Hash{}, errNone
}

// abbreviated returns the one commit or tag or, without any, the one folder
// whose hash begins so.
func (r *Repository) abbreviated(prefix string) (Hash, error) {
	found, err := r.objects.abbreviated(prefix)
	if err != nil {
		return Hash{}, err
	}
	var commits, trees []Hash
	for _, h := range found {
		o, err := r.objects.read(h, maxObject)
		switch {
		case err != nil:
			return Hash{}, err
		case o.kind == plumbing.CommitObject || o.kind == plumbing.TagObject:
			commits = append(commits, h)
		case o.kind == plumbing.TreeObject:
			trees = append(trees, h)
		}
	}
	if len(commits) == 0 {
		commits = trees
	}
	switch len(commits) {
	case 0:
		return Hash{}, errNone
	case 1:
		return commits[0], nil
	}
	return Hash{}, fmt.Errorf("%s is ambiguous: %d objects have a hash that begins so; write more of it", prefix, len(commits))
}

// step follows the first suffix of a revision, and returns those that remain.
func (r *Repository) step(h Hash, suffix string) (Hash, string, error) {
	mark, rest := suffix[0], suffix[1:]
	if kind, ok := strings.CutPrefix(rest, "{"); ok {
		kind, rest, _ = strings.Cut(kind, "}")
		h, err := r.objects.peel(h, kind)
		return h, rest, err
	}
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	n := 1
	if digits != "" {
		n, _ = strconv.Atoi(digits)
	}
	var err error
	if mark == '~' {
		h, err = r.objects.ancestor(h, n)
	} else {
		h, err = r.objects.parent(h, n)
	}
	return h, rest[len(digits):], err
}
