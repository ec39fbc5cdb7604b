package entries

import (
	"errors"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// contents matches what kustomize quotes in its errors of patches, objects and
// literals, which may hold secrets: up to the end, or to where it goes on.
var contents = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\n.*|\{.*|\[patch: .*|from \[.*|:? ?(?:literal|env) sources? .*|: node contents.*`)
})

// configuration matches a patch that kustomize quotes before it says what is wrong.
var configuration = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?s) with config: `.*`: ") })

// recursion matches how kustomize says that it has tried a resource as a file first, and
// then as a folder.
var recursion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(?:.*)accumulation err='accumulating resources from '.*?: (?:recursed accumulation of|couldn't make target for) path '([^']*)': `)
})

// malformed matches how kustomize says that a resource is no YAML, and anchor what its parser
// says of an alias.
var (
	malformed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:([^ ]+): )?accumulating resources: accumulating resources from '([^']*)': MalformedYAMLError: yaml: (.*?)(?: in)? File: .*`)
	})
	anchor = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`unknown anchor '(.*?)' referenced`) })
)

// absent matches how kustomize says that a resource, a component, a patch or a file of a
// generator is missing.
var absent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)(?:accumulating resources: accumulation err='accumulating resources from '[^'\n]*'` +
		`|accumulating components: loader\.New "must build at directory: not a valid directory: evalsymlink failure on '[^'\n]*' ` +
		`|trouble configuring builtin \w+(?:: failed to get the patch file from path\([^)\n]*\))?` +
		`|loading KV pairs: (env|file) source(?: file)?s: \[[^\n]*\])` +
		`: (?:open|lstat) ([^\n]*?): (?:no such file or directory|file does not exist)(?:"|': must build at directory: [^\n]*)?$`)
})

// twice matches how kustomize says that two files of a build hold one object.
var twice = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)(?:accumulating components: accumulateDirectory: "recursed accumulation of path '[^'\n]*': )?` +
		`accumulating resources: accumulation err='(?:merging|accumulating) resources from '([^'\n]*)':(?: read [^'\n]*: is a directory': recursed merging from path '[^'\n]*':)?` +
		` may not add resource with an already registered id: ([^.\s]+)\.[^/\s]*/([^/\s']+)\.([^./\s']+).*`)
})

// conflict matches how kustomize says that two objects are one in the namespace that it sets: it quotes both.
var conflict = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)ID conflict: \[\{.*?"kind":"([A-Za-z]+)","metadata":\{.*?"name":"([^"]+)","namespace":".*`)
})

// repeated matches what the library says of a key that is written twice.
var repeated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)yaml: unmarshal errors:\s*line \d+: (?:mapping )?key .*? already (?:set in map|defined at line \d+).*`)
})

// line matches the place that a parser names. That of the document is told beside the reason, which stays as it is when lines move.
var line = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^| )(?:(?:MalformedYAMLError: )?yaml: )?line \d+: `)
})

// Twice says of a text in one line that YAML does not read a mapping, and Unpatched that kustomize does not read a patch.
const (
	Twice     = "a key is defined twice in one mapping"
	Unpatched = "unable to parse SM or JSON patch"
)

// unusable matches how kustomize says why it does not take the content of a file.
var unusable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:accumulating resources: |loading \w+ plugins: )accumulation err='accumulating resources from '([^'\n]*)': (missing [^'\n]*)(?:': must build at directory: '[^'\n]*': file is not directory)?$`)
})

// told returns an error in one line, without contents of the tree that it quotes. Of
// kustomizations that hold each other only the innermost is named.
func told(err error) string {
	text := configuration().ReplaceAllString(err.Error(), ": ")
	text = yamledit.Plain(repeated().ReplaceAllString(text, Twice))
	text = recursion().ReplaceAllString(text, "$1: ")
	if m := malformed().FindStringSubmatch(text); m != nil {
		text = path.Join(m[1], m[2]) + ": " + anchor().ReplaceAllString(m[3], "no anchor &$1 stands before *$1 in its document: write the anchor there, or the value instead of *$1")
	}
	if m := absent().FindStringSubmatch(text); m != nil {
		kind := map[string]string{"env": "env file ", "file": "file "}[m[1]]
		text = absent().ReplaceAllLiteralString(text, kind+m[2]+" is missing")
	}
	if m := twice().FindStringSubmatch(text); m != nil {
		text = strings.Replace(text, m[0], m[1]+": "+m[2]+" "+strings.TrimPrefix(m[4]+"/", "[noNs]/")+m[3]+" is already in this build: kustomize takes each object once", 1)
	}
	text = unusable().ReplaceAllString(text, "$1: $2")
	text = conflict().ReplaceAllString(text, "ID conflict: [two objects become $1 $2]")
	if short := strings.TrimRight(contents().ReplaceAllString(text, ""), " :"); short != "" {
		text = short
	}
	text = strings.Join(strings.Fields(line().ReplaceAllString(text, "$1")), " ")
	if ownFile().MatchString(text) {
		text += "; Flux takes all YAML files of a folder without kustomization.yaml for manifests: exclude this one by this line in .sourceignore: " + OwnFiles
	}
	return text
}

// OwnFiles is the line of .sourceignore that excludes the files of this program, and ownFile matches how kustomize says that one
// of them is no manifest.
const OwnFiles = ".flux-remedy*.yaml"

var ownFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^failed to decode Kubernetes YAML from (?:[^ ]*/)?\.flux-remedy[^ /]*\.yaml: `)
})

// Told returns an error about a Kustomization, without secrets: before it is cut, and they with it.
func (k *Kustomization) Told(err error) string {
	return told(errors.New(k.WithoutSecrets(err.Error())))
}

// WithoutSecrets returns a text about a Kustomization without what Secrets supply to
// it and to those that apply it.
func (k *Kustomization) WithoutSecrets(text string) string {
	var secrets variables.Secrets
	for _, by := range k.Chain() {
		secrets = append(secrets, by.Variables.Secrets()...)
	}
	return secrets.Forms().Mask(text)
}
