package tree

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// resolve returns the object that a revision names: a reference or a hash, with
// suffixes such as ~2, ^2 and ^{commit}.
func (r *Repository) resolve(rev string) (hash, error) {
	base, suffix := rev, ""
	if i := strings.IndexAny(rev, "~^"); i >= 0 {
		base, suffix = rev[:i], rev[i:]
	}
	if !isRevision(base) || !suffixes.MatchString(suffix) {
		return hash{}, errSyntax(rev)
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

var errNone = errors.New("no such object")

// suffixes matches what may follow the name of a revision.
var suffixes = regexp.MustCompile(`^([~^][0-9]{0,9}|\^\{(commit|tree|blob|tag|object)?\})*$`)

func errSyntax(rev string) error {
	return fmt.Errorf("%q is no revision that is understood: name a branch, a tag, a remote's branch, a hash, HEAD or @; "+
		"~N, ^N, ^{commit} and ^{tree} may follow", rev)
}

// noRevision says that a revision is not in the repository.
func (r *Repository) noRevision(rev string) error {
	if r.objects.shallow {
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
func (r *Repository) named(name string) (hash, error) {
	if name == "@" {
		name = "HEAD"
	}
	if h, ok := parseHash(name); ok {
		return h, nil
	}
	if _, h, ok := r.reference(name); ok {
		return h, nil
	}
	if len(name) >= 4 && len(name) < 2*len(hash{}) && strings.Trim(name, "0123456789abcdefABCDEF") == "" {
		return r.abbreviated(strings.ToLower(name))
	}
	return hash{}, errNone
}

// abbreviated returns the one commit or tag or, without any, the one folder
// whose hash begins so.
func (r *Repository) abbreviated(prefix string) (hash, error) {
	found, err := r.objects.abbreviated(prefix)
	if err != nil {
		return hash{}, err
	}
	var commits, trees []hash
	for _, h := range found {
		o, err := r.objects.read(h, maxObject)
		switch {
		case err != nil:
			return hash{}, err
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
		return hash{}, errNone
	case 1:
		return commits[0], nil
	}
	return hash{}, fmt.Errorf("%s is ambiguous: %d objects have a hash that begins so; write more of it", prefix, len(commits))
}

// step follows the first suffix of a revision, and returns those that remain.
func (r *Repository) step(h hash, suffix string) (hash, string, error) {
	mark, rest := suffix[0], suffix[1:]
	if kind, ok := strings.CutPrefix(rest, "{"); ok {
		kind, rest, _ = strings.Cut(kind, "}")
		h, err := r.peel(h, kind)
		return h, rest, err
	}
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	n := 1
	if digits != "" {
		n, _ = strconv.Atoi(digits)
	}
	var err error
	if mark == '~' {
		h, err = r.ancestor(h, n)
	} else {
		h, err = r.parent(h, n)
	}
	return h, rest[len(digits):], err
}

// ancestor returns the commit that is n first parents back.
func (r *Repository) ancestor(h hash, n int) (hash, error) {
	h, err := r.parent(h, 0)
	for ; n > 0 && err == nil; n-- {
		h, err = r.parent(h, 1)
	}
	return h, err
}

// parent returns the nth parent of a commit; the 0th is itself.
func (r *Repository) parent(h hash, n int) (hash, error) {
	h, err := r.peel(h, "commit")
	if err != nil || n == 0 {
		return h, err
	}
	c, err := r.commit(h)
	if err != nil {
		return h, err
	}
	if n > len(c.parents) {
		return h, errNone
	}
	return c.parents[n-1], nil
}

// peel follows tags and, if a tree is wanted, a commit. Of an empty kind it
// follows tags only.
func (r *Repository) peel(h hash, kind string) (hash, error) {
	for {
		if h == emptyTree && (kind == "" || kind == "tree") {
			return h, nil
		}
		o, err := r.objects.read(h, maxObject)
		switch {
		case err != nil:
			return h, err
		case o.kind == plumbing.TagObject && kind != "tag" && kind != "object":
			h = tagged(o.data)
		case o.kind == plumbing.CommitObject && kind == "tree":
			c, err := r.commit(h)
			return c.tree, err
		case kind == "" || kind == "object" || kind == o.kind.String():
			return h, nil
		default:
			return h, errNone
		}
	}
}

// tagged returns the object that an annotated tag names.
func tagged(data []byte) hash {
	for key, value := range headers(data) {
		if key == "object" {
			return plumbing.NewHash(value)
		}
	}
	return hash{}
}
