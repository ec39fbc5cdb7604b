package object

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// At returns the value at keys below v; nil if there is none.
func At(v any, keys ...string) any {
	for _, key := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// String returns the string at keys below v; "" if there is none.
func String(v any, keys ...string) string {
	s, _ := At(v, keys...).(string)
	return s
}

// Name returns metadata.name of an object.
func Name(object map[string]any) string { return String(object, "metadata", "name") }

// Namespace returns metadata.namespace of an object.
func Namespace(object map[string]any) string { return String(object, "metadata", "namespace") }

// FullName returns namespace/name of an object, or the name where it has no
// namespace.
func FullName(object map[string]any) string {
	if namespace := Namespace(object); namespace != "" {
		return namespace + "/" + Name(object)
	}
	return Name(object)
}

// Follow returns the value at a path and reports whether it is there.
func Follow(v any, at release.Path) (any, bool) {
	for _, step := range at {
		switch s := step.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				return nil, false
			}
			if v, ok = m[s]; !ok {
				return nil, false
			}
		case int:
			list, ok := v.([]any)
			if !ok || s >= len(list) {
				return nil, false
			}
			v = list[s]
		}
	}
	return v, true
}

// With returns an object with another value at a path of keys; nil removes it, and what is
// left empty by that below spec. The object stays as it is.
func With(object map[string]any, at release.Path, value any) map[string]any {
	key, ok := at[0].(string)
	if !ok {
		return object
	}
	out := maps.Clone(object)
	if out == nil {
		out = map[string]any{}
	}
	if len(at) > 1 {
		inner, _ := out[key].(map[string]any)
		if inner = With(inner, at[1:], value); len(inner) > 0 || key == "spec" {
			out[key] = inner
			return out
		}
		value = nil
	}
	if out[key] = value; value == nil {
		delete(out, key)
	}
	return out
}

// Leaves calls f for every scalar at and below a path, in order.
func Leaves(at release.Path, v any, f func(release.Path, any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			Leaves(append(slices.Clone(at), key), v[key], f)
		}
	case []any:
		for i, item := range v {
			Leaves(append(slices.Clone(at), i), item, f)
		}
	case nil:
	default:
		f(at, v)
	}
}

// Each calls f for every object of a stream, also for those in Lists. Documents that
// cannot be read are left out. The objects must not be changed.
func Each(file *yamledit.File, f func(*yamledit.Document, map[string]any)) {
	for _, doc := range file.Documents {
		eachIn(doc, f)
	}
}

func eachIn(doc *yamledit.Document, f func(*yamledit.Document, map[string]any)) {
	object, err := doc.Shared()
	if err != nil || object == nil {
		return
	}
	if !IsList(object) {
		f(doc, object)
		return
	}
	for _, item := range doc.Each("items") {
		eachIn(item, f)
	}
}

// Items returns the objects in a List, also in Lists inside of it. Any other object is
// returned as it is.
func Items(object map[string]any) []map[string]any {
	if !IsList(object) {
		return []map[string]any{object}
	}
	var out []map[string]any
	for _, item := range object["items"].([]any) {
		if inner, ok := item.(map[string]any); ok {
			out = append(out, Items(inner)...)
		}
	}
	return out
}

// Path returns spec.path of a Flux Kustomization as a path in its source; ""
// for the whole source.
func Path(ks map[string]any) string { return CleanPath(String(ks, "spec", "path")) }

// CleanPath returns a path of a spec as a path in the source, without leading ./ or /.
func CleanPath(p string) string { return strings.TrimPrefix(path.Clean("/"+p), "/") }

var scheme = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z+]+://)?([^@/]+@)?`) })

var credentials = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`://[^/?#\s]+@`) })

var parameters = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[?&]([^=?&#\s]+)=[^&#\s"']*`) })

// Address returns an address without the password or token that may be in it; the user git is left, and of the query
// what kustomize reads.
func Address(url string) string {
	url = credentials().ReplaceAllStringFunc(url, func(user string) string {
		if user == "://git@" {
			return user
		}
		return "://"
	})
	return parameters().ReplaceAllStringFunc(url, func(text string) string {
		switch name := parameters().FindStringSubmatch(text)[1]; name {
		case "ref", "version", "timeout", "submodules":
			return text
		default:
			return text[:1] + name + "=***"
		}
	})
}

// SameRepository compares addresses of repositories without scheme, user and ending.
func SameRepository(a, b string) bool {
	plain := func(url string) string {
		url = scheme().ReplaceAllString(strings.ToLower(strings.TrimSpace(url)), "")
		url = strings.Replace(url, ":", "/", 1)
		return strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git")
	}
	return plain(a) == plain(b)
}

// MaxSize is the size in bytes above which an object is larger than any that an API server takes, however it is made.
const MaxSize = 10 << 20
