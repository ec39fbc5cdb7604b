package policy

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// templates are what a ResourceSet renders, as objects: each action that prints is a word that stands for it and
// for the inputs that it names. So two ResourceSets differ in the fields in which what they render does. They
// agree in rest, all else of them, and in silent, their actions that print nothing.
type templates struct {
	rest    map[string]any
	inputs  []any
	silent  []string
	actions map[string]string // by the word that stands for one
	objects []map[string]any
	known   bool
}

// addSets adds what the ResourceSets of a file set that differ from those of the base in nothing but what was
// mended in their templates, and returns the other objects of both sides.
func (r *reach) addSets(before, after []map[string]any) (others, othersNow []map[string]any) {
	known := map[string]bool{}
	for _, set := range after {
		was := twin(set, before)
		if !object.IsResourceSet(set) || was == nil || reflect.DeepEqual(set, was) {
			continue
		}
		_, again := known[object.FullName(set)]
		known[object.FullName(set)] = !again && r.addTemplates(templatesIn(was), templatesIn(set))
	}
	isKnown := func(o map[string]any) bool { return object.IsResourceSet(o) && known[object.FullName(o)] }
	return slices.DeleteFunc(slices.Clone(before), isKnown), slices.DeleteFunc(slices.Clone(after), isKnown)
}

// addTemplates reports whether all that differs in two templates are versions and values of charts, intervals and
// timeouts, and adds these. What was printed there cannot be known, and what is printed now is one plain word.
func (r *reach) addTemplates(before, after templates) bool {
	if !before.known || !after.known || len(before.inputs) != len(after.inputs) || len(before.objects) != len(after.objects) ||
		!slices.Equal(before.silent, after.silent) || !reflect.DeepEqual(before.rest, after.rest) {
		return false
	}
	all := true
	for i, o := range after.objects {
		differences(nil, before.objects[i], o, func(at []any, was, is string) {
			all = all && before.eachAction(was, before.printsValue) && after.eachAction(is, after.printsWord) && r.addRendered(o, at)
		})
	}
	return all
}

// addRendered adds a field of an object that a template renders, and reports whether a mend may change it.
func (r *reach) addRendered(o map[string]any, at release.Path) bool {
	field, kind := at.String(), object.String(o, "kind")
	switch {
	case object.IsHelmRelease(o) && (section(at) == "spec.values" || field == "spec.chart.spec.version"),
		isSource(o) && kind == "OCIRepository" && section(at) == "spec.ref" && !r.appliesArtifacts():
		r.values = true
	case object.IsHelmRelease(o) && isTime(at):
		r.fields[""] = append(r.fields[""], at)
	default:
		return isSource(o) && isTime(at)
	}
	return true
}

// isTime reports whether a field of a release says how long something takes.
func isTime(at release.Path) bool {
	return slices.Contains([]string{"spec.interval", "spec.timeout"}, at.String())
}

// appliesArtifacts reports whether a Flux Kustomization may apply what an OCIRepository holds.
func (r *reach) appliesArtifacts() bool {
	for _, file := range filesOf(slices.Concat(r.base, r.now)) {
		data, _ := file.Data()
		if text := string(data); isManifest(file.Name()) && strings.Contains(text, "OCIRepository") && strings.Contains(text, "sourceRef") {
			return true
		}
	}
	return false
}

func templatesIn(set map[string]any) templates {
	t := templates{rest: maps.Clone(set), actions: map[string]string{}, known: true}
	// it may be Flux itself that is installed
	texts(set["spec"], func(text string) {
		t.known = t.known && !strings.Contains(text, "flux-instance") && !strings.Contains(text, "flux2")
	})
	t.known = t.known && object.At(set, "spec", "inputsFrom") == nil
	t.inputs, _ = object.At(set, "spec", "inputs").([]any)
	t.rest["spec"] = specWithout(set, []string{"inputs", "resources", "resourcesTemplate"})
	resources, _ := object.At(set, "spec", "resources").([]any)
	for _, item := range resources {
		text, err := yaml.Marshal(item)
		t.known = t.known && err == nil
		t.read(string(text))
	}
	t.read(object.String(set, "spec", "resourcesTemplate"))
	return t
}

// silentAction matches lines of an action that prints nothing, anyAction all actions, one that is not closed up to the
// end of its line.
var (
	silentAction = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*<<-?\s*(?:if|else|end|range|with|/\*|\$\w+\s*:?=)[^\n]*?>>[ \t]*\n`)
	})
	anyAction  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<<([^\n]*?)(?:>>|\n|$)`) })
	inputNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\binputs\b(?:\.(\w+))?`) })
	wordAction = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*inputs\.(\w+)\s*(?:\|\s*quote\s*)?$`) })
	plainWord  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w./:@+~^=*-]*$`) })
	standsFor  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`action-[0-9a-f]{64}`) })
	anyValue   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\.?(\w+)(?:\.\w+)*\s*(?:\|\s*(\w+)\s*)?>?\s*$`) })
)

// read reads a template. Blanks that actions take away, and templates in it, are not followed.
func (t *templates) read(text string) {
	text += "\n"
	t.known = t.known && !strings.Contains(text, "->>") && !strings.Contains(text, "define") && !strings.Contains(text, "block ")
	text = silentAction().ReplaceAllStringFunc(text, func(line string) string {
		t.silent = append(t.silent, t.standIn(line))
		return ""
	})
	text = anyAction().ReplaceAllStringFunc(text, func(action string) string {
		word, end := t.standIn(action), ""
		if strings.HasSuffix(action, "\n") {
			end = "\n"
		}
		t.actions[word] = anyAction().FindStringSubmatch(action)[1]
		return word + end
	})
	objects, idle := objectsWithoutMistakes([]byte(text))
	t.known = t.known && idle && !strings.Contains(text, ">>")
	t.objects = append(t.objects, objects...)
}

// standIn returns a word for an action, which is another one if the inputs are others that it names.
func (t *templates) standIn(action string) string {
	named := []any{strings.TrimSpace(action)}
	for _, m := range inputNames().FindAllStringSubmatch(action, -1) {
		for _, input := range t.inputs {
			if values, is := input.(map[string]any); is && m[1] != "" {
				input = values[m[1]]
			}
			named = append(named, input)
		}
	}
	data, _ := json.Marshal(named) // they came from JSON
	return fmt.Sprintf("action-%x", sha256.Sum256(data))
}

// eachAction reports whether all actions that words of a text stand for are as they should be.
func (t *templates) eachAction(text string, is func(action string) bool) bool {
	return !strings.HasSuffix(text, "…") &&
		!slices.ContainsFunc(standsFor().FindAllString(text, -1), func(word string) bool { return !is(t.actions[word]) })
}

// printsValue reports whether an action was meant to print a value where it stands, and not what may be anything.
func (t *templates) printsValue(action string) bool {
	m := anyValue().FindStringSubmatch(action)
	return m != nil && !slices.ContainsFunc(m[1:], func(word string) bool {
		return slices.Contains([]string{"else", "end", "break", "continue", "toYaml"}, word)
	})
}

// printsWord reports whether an action prints an input that is one plain word, whichever of the inputs is taken.
func (t *templates) printsWord(action string) bool {
	m := wordAction().FindStringSubmatch(action)
	return m != nil && !slices.ContainsFunc(t.inputs, func(input any) bool {
		switch value := object.At(input, m[1]).(type) {
		case string:
			return !plainWord().MatchString(value)
		case map[string]any, []any, nil:
			return true
		}
		return false
	})
}
