package flux

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// reference names a source of a Kustomization or of an ArtifactGenerator.
type reference struct{ kind, namespace, name string }

func (r reference) String() string { return r.kind + "/" + r.namespace + "/" + r.name }

// locate finds the folder that a Kustomization builds; it says why not if it
// cannot be known.
func (c *cluster) locate(k *kustomization) string {
	spec, _ := k.object["spec"].(map[string]any)
	where, _ := spec["path"].(string)
	ref := referenceOf(spec["sourceRef"], k.object)
	text := markers.ReplaceAllString(where+ref.String(), "$${$1}")
	if m := variableUse.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("cannot be built: its path or source needs the variable %s, which is not known", m[1])
	}
	if k.folder {
		return ""
	}
	a, reason := c.source(c.home(k), ref)
	if a == nil {
		return "cannot be built: " + reason
	}
	dir := clean(where)
	if a.own {
		a = c.rooted(a, dir)
	}
	if !a.isDir(dir) {
		return fmt.Sprintf("cannot be built: path %q is not in %s", where, a.name)
	}
	k.source, k.dir = a, dir
	return ""
}

func referenceOf(v any, owner map[string]any) reference {
	m, _ := v.(map[string]any)
	var r reference
	r.kind, _ = m["kind"].(string)
	r.name, _ = m["name"].(string)
	if r.namespace, _ = m["namespace"].(string); r.namespace == "" {
		r.namespace, _ = nested(owner, "metadata", "namespace").(string)
	}
	return r
}

// rooted gives the artifact from the folder on that paths are relative to: the
// repository or, if only a part of it is packed, a folder above the entry. The
// first path that is looked for decides.
func (c *cluster) rooted(a *artifact, dir string) *artifact {
	prefix := ""
	for _, part := range append([]string{""}, strings.Split(path.Dir(c.file), "/")...) {
		prefix = path.Join(prefix, part)
		if !c.rootKnown && dir != "" && a.isDir(path.Join(prefix, dir)) {
			c.root, c.rootKnown = prefix, true
		}
	}
	return c.l.subOf(a, c.root)
}

// source gives what a source holds, or why that is not known.
func (c *cluster) source(home string, ref reference) (*artifact, string) {
	if dir, ok := c.l.opts.Sources[ref.String()]; ok {
		return c.l.mapped(ref, dir)
	}
	if ref.kind == "ExternalArtifact" {
		return c.external(home, ref)
	}
	object := c.find(home, ref.kind, ref.namespace, ref.name)
	if c.isSelf(home, ref, object) {
		ignore, _ := nested(object, "spec", "ignore").(string)
		return c.l.selfArtifact(ignore)
	}
	if object == nil {
		return nil, fmt.Sprintf("its source %s is not in the tree; map it with --source %s=DIR", ref, ref)
	}
	url, _ := nested(object, "spec", "url").(string)
	return nil, fmt.Sprintf("its source %s (%s) is not this repository; map it with --source %s=DIR", ref, url, ref)
}

// isSelf tells whether a source is the repository that is read: the one of the
// entry, one with the same URL, or a Git repository that nothing in the tree
// describes, as flux bootstrap leaves it. A reference that is left to a patch is
// taken for the same.
func (c *cluster) isSelf(home string, ref reference, object map[string]any) bool {
	url, _ := nested(object, "spec", "url").(string)
	if ref == c.own && (home == c.name || object == nil) || object == nil && (ref.kind == "GitRepository" || ref.kind == "") {
		return true
	}
	own := c.l.remoteURLs()
	if u, ok := nested(c.find(c.name, c.own.kind, c.own.namespace, c.own.name), "spec", "url").(string); ok {
		own = append(own, u)
	}
	return url != "" && slices.ContainsFunc(own, func(u string) bool { return sameRepository(u, url) })
}

// mainSource is the source that most Flux Kustomizations of the tree name.
func (l *loader) mainSource() reference {
	count := map[reference]int{}
	var best reference
	for _, entry := range l.kustomizations() {
		ref := referenceOf(nested(entry.object, "spec", "sourceRef"), entry.object)
		if count[ref]++; count[ref] > count[best] && ref.kind != "ExternalArtifact" {
			best = ref
		}
	}
	return best
}

var scheme = regexp.MustCompile(`^([a-z+]+://)?([^@/]+@)?`)

// sameRepository compares addresses without scheme, user and ending.
func sameRepository(a, b string) bool {
	plain := func(url string) string {
		url = scheme.ReplaceAllString(strings.ToLower(strings.TrimSpace(url)), "")
		url = strings.Replace(url, ":", "/", 1)
		return strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git")
	}
	return plain(a) == plain(b)
}

// external gives the artifact of an ArtifactGenerator of the cluster.
func (c *cluster) external(home string, ref reference) (*artifact, string) {
	generators := c.ofKind(home, "ArtifactGenerator")
	if c.orphan {
		generators = c.l.writtenGenerators()
	}
	for _, object := range generators {
		if namespace, _ := nested(object, "metadata", "namespace").(string); namespace != ref.namespace {
			continue
		}
		a, err := c.l.generated(object, ref.name, func(alias string) (*artifact, string) {
			sources, _ := nested(object, "spec", "sources").([]any)
			for _, item := range sources {
				if nested(item, "alias") == alias {
					from, reason := c.source(home, referenceOf(item, object))
					if from != nil && from.own {
						from = c.l.subOf(from, c.root)
					}
					return from, reason
				}
			}
			return nil, "the ArtifactGenerator has no source " + alias
		})
		if err != nil {
			return nil, fmt.Sprintf("ArtifactGenerator %s: %v", nameOf(object), err)
		}
		if a != nil {
			return a, ""
		}
	}
	c.wantsGenerator = true
	return nil, fmt.Sprintf("no ArtifactGenerator in the tree makes its source %s", ref)
}

// countGenerators tells how many ArtifactGenerators there are, in all clusters.
func (c *cluster) countGenerators() int {
	n := 0
	for name := range c.objects {
		n += len(c.ofKind(name, "ArtifactGenerator"))
	}
	return n
}

// writtenGenerators are the ArtifactGenerators as they are written in the tree.
func (l *loader) writtenGenerators() []map[string]any {
	if l.index == nil {
		l.makeIndex()
	}
	var out []map[string]any
	for _, key := range sortedKeys(l.index) {
		for _, entry := range l.index[key] {
			if entry.object["kind"] == "ArtifactGenerator" {
				out = append(out, entry.object)
			}
		}
	}
	return out
}

// selfArtifact gives the artifact of the tree itself, without what ignore
// excludes.
func (l *loader) selfArtifact(ignore string) (*artifact, string) {
	if a, ok := l.self[ignore]; ok {
		return a, ""
	}
	a, err := l.repo.copyTree(l.tmp, l.tags, ignore)
	if err != nil {
		return nil, err.Error()
	}
	l.self[ignore] = a
	return a, ""
}

// mapped gives the content of a source that the user has mapped to a folder.
func (l *loader) mapped(ref reference, dir string) (*artifact, string) {
	if a, ok := l.foreign[dir]; ok {
		return a, ""
	}
	r, err := openRepo(context.Background(), dir, l)
	if err != nil {
		return nil, err.Error()
	}
	a, err := r.copyTree(l.tmp, l.tags, "")
	if err != nil {
		return nil, err.Error()
	}
	a.name = "source " + ref.String()
	l.foreign[dir] = a
	return a, ""
}

func (l *loader) generated(object map[string]any, name string, source func(string) (*artifact, string)) (*artifact, error) {
	key := fmt.Sprintf("%v/%s", object["spec"], name)
	if a, ok := l.external[key]; ok {
		return a, nil
	}
	a, err := generate(object, name, l.tmp, source)
	if err == nil && a != nil {
		l.external[key] = a
	}
	return a, err
}

// subOf gives the artifact that begins at a folder of another, made once.
func (l *loader) subOf(a *artifact, dir string) *artifact {
	if dir == "" || dir == "." {
		return a
	}
	key := a.dir + "\x00" + dir
	if l.subs[key] == nil {
		l.subs[key] = a.sub(dir)
	}
	return l.subs[key]
}

var remoteURL = regexp.MustCompile(`(?m)^\s*url\s*=\s*(\S+)`)

// remoteURLs are the remotes of the Git repository.
func (l *loader) remoteURLs() []string {
	top := gitTop(l.repo.abs)
	if top == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(top, ".git", "config"))
	if err != nil {
		return nil
	}
	var out []string
	for _, m := range remoteURL.FindAllStringSubmatch(string(data), -1) {
		out = append(out, m[1])
	}
	return out
}
