package slim

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// maxSure is how deep a Decoder follows; encoding/json has a limit of its own far below.
const maxSure = 100

// Decoder reads the text of a [Copy] as encoding/json would, but faster. Where that is not
// certain, for a document that nobody writes, it is unsure, and what it has read is of no
// use: at a key that is there twice, in other letters, or written with an escape, at a
// number that fits into no type, where another type is wanted, and too deep.
type Decoder struct {
	text   []byte
	at     int
	depth  int
	unsure bool
}

// NewDecoder returns a decoder of valid JSON.
func NewDecoder(text []byte) *Decoder { return &Decoder{text: text} }

// Sure reports whether encoding/json would have read the same.
func (d *Decoder) Sure() bool { return !d.unsure }

// Fields reads an object and calls each with the index of a name when its value is next,
// which each must read. It skips the rest.
func (d *Decoder) Fields(names []string, each func(name int)) {
	seen := uint64(0)
	d.members(func(key []byte) {
		at := slices.IndexFunc(names, func(name string) bool { return string(key) == name })
		switch {
		case at < 0 && slices.ContainsFunc(names, func(name string) bool { return bytes.EqualFold(key, []byte(name)) }):
			d.doubt()
		case at < 0:
			d.skip()
		case seen&(1<<at) != 0:
			d.doubt()
		default:
			seen |= 1 << at
			each(at)
		}
	})
}

// Text reads a string.
func (d *Decoder) Text() string {
	text, ok := d.Value().(string)
	d.unsure = d.unsure || !ok
	return text
}

// Bool reads true or false.
func (d *Decoder) Bool() bool {
	is, ok := d.Value().(bool)
	d.unsure = d.unsure || !ok
	return is
}

// Texts reads a list of strings.
func (d *Decoder) Texts() []string {
	list, ok := d.Value().([]any)
	d.unsure = d.unsure || !ok
	out := make([]string, len(list))
	for i, item := range list {
		if out[i], ok = item.(string); !ok {
			d.doubt()
		}
	}
	return out
}

// Object reads an object; nil for null.
func (d *Decoder) Object() map[string]any {
	value := d.Value()
	object, ok := value.(map[string]any)
	d.unsure = d.unsure || !ok && value != nil
	return object
}

// Value reads any value.
func (d *Decoder) Value() any {
	switch c := d.token(); c {
	case '{':
		object := map[string]any{}
		d.members(func(key []byte) {
			before, value := len(object), d.Value()
			if object[name(key)] = value; len(object) == before {
				d.doubt()
			}
		})
		return object
	case '[':
		return d.list()
	case '"':
		return d.string()
	case 't', 'f':
		d.skip()
		return c == 't'
	case 'n':
		d.skip()
		return nil
	}
	number, err := strconv.ParseFloat(string(d.scalar()), 64)
	if err != nil {
		d.doubt()
	}
	return number
}

// members reads an object and calls each with a key when its value is next.
func (d *Decoder) members(each func(key []byte)) {
	if d.token() != '{' {
		d.doubt()
		return
	}
	d.enter()
	for d.token() != '}' && !d.unsure {
		key, plain := d.quoted()
		if !plain {
			d.doubt()
			return
		}
		d.token()
		d.at++ // the colon
		each(key[1 : len(key)-1])
		d.separator()
	}
	d.leave()
}

func (d *Decoder) list() []any {
	out := []any{}
	d.enter()
	for d.token() != ']' && !d.unsure {
		out = append(out, d.Value())
		d.separator()
	}
	d.leave()
	return out
}

// enter goes into an object or a list.
func (d *Decoder) enter() {
	d.at++
	if d.depth++; d.depth > maxSure {
		d.doubt()
	}
}

func (d *Decoder) leave() {
	if !d.unsure {
		d.at++
	}
	d.depth--
}

// separator goes past a comma.
func (d *Decoder) separator() {
	if d.token() == ',' {
		d.at++
	}
}

// names are keys of HelmReleases. They are not copied from each document.
var names = func() map[string]string {
	out := map[string]string{}
	for key := range strings.FieldsSeq(`apiVersion kind metadata name namespace labels annotations uid resourceVersion generation creationTimestamp
		managedFields finalizers spec status chart version sourceRef chartRef interval timeout suspend values valuesFrom valuesKey targetPath optional
		releaseName targetNamespace storageNamespace maxHistory dependsOn serviceAccountName persistentClient driftDetection mode ignore paths target
		install upgrade strategy retryInterval remediation retries remediateLastFailure ignoreTestFailures crds createNamespace replace skipCRDs
		disableWait disableWaitForJobs disableHooks disableOpenAPIValidation disableSchemaValidation disableTakeOwnership cleanupOnFail force
		preserveValues test enable ignoreFailures rollback recreate uninstall keepHistory deletionPropagation postRenderers kustomize patches patch
		reconcileStrategy kubeConfig secretRef key conditions type reason message lastTransitionTime observedGeneration history`) {
		out[key] = key
	}
	return out
}()

// name returns a key as a string.
func name(key []byte) string {
	if name, ok := names[string(key)]; ok {
		return name
	}
	return string(key)
}

// string reads a string.
func (d *Decoder) string() string {
	quoted, plain := d.quoted()
	if plain {
		return string(quoted[1 : len(quoted)-1])
	}
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		d.doubt()
	}
	return text
}

// quoted goes past a string and returns it with its quotes, and whether it is in ASCII and
// without escapes.
func (d *Decoder) quoted() (text []byte, plain bool) {
	from := d.at
	plain = true
	for d.at++; d.at < len(d.text); d.at++ {
		switch c := d.text[d.at]; {
		case c == '"':
			d.at++
			return d.text[from:d.at], plain
		case c == '\\':
			d.at++
			plain = false
		case c >= 0x80:
			plain = false
		}
	}
	d.doubt()
	return []byte(`""`), false
}

// skip goes past a value.
func (d *Decoder) skip() {
	switch d.token() {
	case '{':
		d.members(func([]byte) { d.skip() })
	case '[':
		d.enter()
		for d.token() != ']' && !d.unsure {
			d.skip()
			d.separator()
		}
		d.leave()
	case '"':
		d.quoted()
	default:
		d.scalar()
	}
}

// scalar goes past a number or a word and returns it.
func (d *Decoder) scalar() []byte {
	from := d.at
	for d.at < len(d.text) && bytes.IndexByte([]byte(",]} \t\r\n"), d.text[d.at]) < 0 {
		d.at++
	}
	return d.text[from:d.at]
}

// token skips white space and returns the byte after it; zero at the end.
func (d *Decoder) token() byte {
	for ; d.at < len(d.text); d.at++ {
		switch c := d.text[d.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	d.doubt()
	return 0
}

// doubt ends the reading.
func (d *Decoder) doubt() {
	d.unsure = true
	d.at = len(d.text)
}
