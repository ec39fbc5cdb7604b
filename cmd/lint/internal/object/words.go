package object

import (
	"bytes"
	"slices"
	"strings"
)

// The searches below may report a file that does not matter, but never miss one that
// does. A group is searched without the slash that follows it in an apiVersion, because
// a template may join the two. Text that can stand for other text is never ruled out.

var (
	groups   = groupsOf(func(Kind) bool { return true })
	traced   = groupsOf(func(k Kind) bool { return k.Traced })
	rendered = slices.Concat(namesOf(func(k Kind) bool { return k.Traced }), traced)
	lookedUp = slices.Concat(namesOf(func(k Kind) bool { return k.Role == Source || k.Role == Variables }),
		groupsOf(func(k Kind) bool { return k.Role == Notifies }))
	patchOp   = [][]byte{[]byte("op: "), []byte(`"op":`)}
	kustomize = []byte("kustomize.config.k8s.io/")
	instance  = []byte("instance") // the field in the values of a chart that makes a FluxInstance
)

// groupsOf returns the API groups of kinds. Groups of Kubernetes itself are left out: they
// would match very many files, and the one definition that matters has the group of HelmRelease.
func groupsOf(is func(Kind) bool) [][]byte {
	return wordsOf(func(k Kind) bool {
		return is(k) && strings.Contains(k.Group, ".") && !strings.HasSuffix(k.Group, ".k8s.io")
	}, func(k Kind) string { return k.Group })
}

func namesOf(is func(Kind) bool) [][]byte {
	return wordsOf(is, func(k Kind) string { return k.Name })
}

// wordsOf returns one word for each kind that is asked for, sorted and each once.
func wordsOf(is func(Kind) bool, word func(Kind) string) [][]byte {
	var out [][]byte
	for _, kind := range kinds {
		if is(kind) {
			out = append(out, []byte(word(kind)))
		}
	}
	slices.SortFunc(out, bytes.Compare)
	return slices.CompactFunc(out, bytes.Equal)
}

// Words says what a file may hold.
type Words struct {
	Hidden   bool // what a search does not find
	Traced   bool // see [MayBeTraced]
	LookedUp bool // a source, variables or an Alert
	Matters  bool // something that Flux follows: an object of the table, a patch, a kustomization.yaml, or the values that make a FluxInstance
	Release  bool // see [mayHoldRelease]
	Defines  bool // a CustomResourceDefinition of Flux
	Instance bool // a FluxInstance, or the values that make one
}

// WordsOf looks for all of them.
func WordsOf(all []byte) Words {
	data := withoutIdle(all)
	w := Words{Hidden: hidesWords(data), Release: mayHoldRelease(data)}
	w.Traced = w.Hidden || containsAny(data, traced)
	w.Defines = bytes.Contains(all, []byte("CustomResourceDefinition")) && containsAny(all, groups)
	w.Instance = w.Hidden || describes(data) || bytes.Contains(data, []byte(OperatorGroup))
	w.LookedUp = w.Hidden || containsAny(data, lookedUp)
	w.Matters = w.Hidden || w.Traced || containsAny(all, groups) || containsAny(data, patchOp) || bytes.Contains(data, kustomize) || w.Instance
	return w
}

// describes reports whether a text may have the field instance, or a path to it. Many have it as the end of a label.
func describes(data []byte) bool {
	for {
		before, after, found := bytes.Cut(data, instance)
		label := bytes.HasSuffix(before, []byte(".io/"))
		if found && !label && !isWord(before[max(0, len(before)-1):]) && !isWord(after[:min(1, len(after))]) {
			return true
		}
		if data = after; !found {
			return false
		}
	}
}

// isWord reports whether a character goes on with a name.
func isWord(c []byte) bool {
	return len(c) > 0 && (c[0] == '-' || c[0] == '_' || '0' <= c[0] && c[0] <= '9' || 'a' <= c[0]|' ' && c[0]|' ' <= 'z')
}

// MayBeTraced reports whether text may hold an object that carries a trace, or
// a patch of one.
func MayBeTraced(data []byte) bool { return hidesWords(data) || containsAny(data, traced) }

// MayRender reports whether text, such as the templates of a ResourceSet, may
// render a HelmRelease or a Flux Kustomization. The template may put a kind or an
// apiVersion together.
func MayRender(data []byte) bool { return containsAny(data, rendered) }

// mayHoldRelease reports whether a file may hold a HelmRelease, or what is meant to be one, or a ResourceSet.
func mayHoldRelease(data []byte) bool {
	kind, group := bytes.Contains(data, []byte("HelmRelease")), bytes.Contains(data, []byte(HelmGroup))
	if kind != group {
		text := bytes.ToLower(data)
		kind, group = bytes.Contains(text, []byte("helmrelease")), bytes.Contains(text, []byte(HelmGroup))
	}
	return kind && group ||
		bytes.Contains(data, []byte("ResourceSet")) && bytes.Contains(data, []byte(OperatorGroup))
}

func containsAny(data []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(data, word) })
}
