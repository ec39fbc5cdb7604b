package object

import (
	"bytes"
	"slices"
	"strings"
)

// The looks at bytes below are loose: they may take a file for one that
// matters, never the other way round. A group is looked for without the slash
// that follows it in an apiVersion, for a template may put the two together.

var (
	groups    = groupsOf(func(Kind) bool { return true })
	traced    = groupsOf(func(k Kind) bool { return k.Traced })
	rendered  = slices.Concat(namesOf(func(k Kind) bool { return k.Traced }), traced)
	lookedUp  = namesOf(func(k Kind) bool { return k.Role == Source || k.Role == Variables })
	patchOp   = [][]byte{[]byte("op: "), []byte(`"op":`)}
	kustomize = []byte("kustomize.config.k8s.io/")
	instance  = []byte("instance:") // values of a chart that makes a FluxInstance
)

// groupsOf returns the API groups of kinds. Those of Kubernetes itself, which
// have no dot, are no words: they would match everything.
func groupsOf(is func(Kind) bool) [][]byte {
	return wordsOf(func(k Kind) bool { return is(k) && strings.Contains(k.Group, ".") }, func(k Kind) string { return k.Group })
}

func namesOf(is func(Kind) bool) [][]byte {
	return wordsOf(is, func(k Kind) string { return k.Name })
}

// wordsOf returns a word of each kind, in order and once.
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

// Matters reports whether a file may hold something that Flux follows, or a
// patch of it.
func Matters(data []byte) bool {
	return containsAny(data, groups) || containsAny(data, patchOp) || bytes.Contains(data, kustomize) || bytes.Contains(data, instance)
}

// MayBeTraced reports whether text may hold an object that carries a trace, or
// a patch of one.
func MayBeTraced(data []byte) bool { return containsAny(data, traced) }

// MayBeLookedUp reports whether a file may hold a source or variables.
func MayBeLookedUp(data []byte) bool { return containsAny(data, lookedUp) }

// MayRender reports whether text, such as the templates of a ResourceSet, may
// become a HelmRelease or a Flux Kustomization. A kind or an apiVersion may be
// put together by the template.
func MayRender(data []byte) bool { return containsAny(data, rendered) }

// MayHoldRelease reports whether a file may hold a HelmRelease, or a
// ResourceSet that renders some or leads to some.
func MayHoldRelease(data []byte) bool {
	return bytes.Contains(data, []byte("HelmRelease")) && bytes.Contains(data, []byte(HelmGroup)) ||
		bytes.Contains(data, []byte("ResourceSet")) && bytes.Contains(data, []byte(OperatorGroup)) && MayRender(data)
}

func containsAny(data []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(data, word) })
}
