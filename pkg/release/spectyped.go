package release

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fillSpec sets a spec that is zero from one that was decoded from JSON but for its values,
// as the API server reads it, and reports whether that is certain. It is not where null or
// another type than the API's is written, nor where numbers are no float64.
func fillSpec(to *helmv2.HelmReleaseSpec, spec map[string]any, strategies bool) bool {
	into, fields := reflect.ValueOf(to).Elem(), specFields()[reflect.TypeFor[helmv2.HelmReleaseSpec]()]
	if fields == nil {
		return false
	}
	for key, value := range spec {
		at, ok := fields[key]
		if !ok || key == "values" {
			continue
		}
		if !strategies && (key == "install" || key == "upgrade") {
			value = without(value, "strategy")
		}
		if !fillField(into, at, value) {
			return false
		}
	}
	return true
}

// ownFormat is the index of a field that reads JSON in a way of its own.
const ownFormat = -1

func fillField(in reflect.Value, at int, value any) bool {
	return at != ownFormat && fill(in.Field(at), value)
}

// fill sets what is zero.
func fill(to reflect.Value, value any) bool {
	if to.Kind() == reflect.Pointer && value != nil {
		to.Set(reflect.New(to.Type().Elem()))
		return fill(to.Elem(), value)
	}
	switch value := value.(type) {
	case map[string]any:
		return fillObject(to, value)
	case []any:
		return fillList(to, value)
	case string:
		return fillText(to, value)
	case bool:
		if to.Kind() == reflect.Bool {
			to.SetBool(value)
			return true
		}
	case float64:
		if to.CanInt() && value == math.Trunc(value) && math.Abs(value) < 1<<53 && !to.OverflowInt(int64(value)) {
			to.SetInt(int64(value))
			return true
		}
	}
	return false
}

func fillObject(to reflect.Value, object map[string]any) bool {
	fields := specFields()[to.Type()]
	if fields == nil {
		return fillMap(to, object)
	}
	for key, value := range object {
		if at, ok := fields[key]; ok && !fillField(to, at, value) {
			return false
		}
	}
	return true
}

func fillMap(to reflect.Value, object map[string]any) bool {
	if to.Kind() != reflect.Map || to.Type().Key() != reflect.TypeFor[string]() {
		return false
	}
	to.Set(reflect.MakeMapWithSize(to.Type(), len(object)))
	for key, value := range object {
		item := reflect.New(to.Type().Elem()).Elem()
		if !utf8.ValidString(key) || !fill(item, value) {
			return false
		}
		to.SetMapIndex(reflect.ValueOf(key), item)
	}
	return true
}

func fillList(to reflect.Value, list []any) bool {
	if to.Kind() != reflect.Slice {
		return false
	}
	to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
	for i, item := range list {
		if !fill(to.Index(i), item) {
			return false
		}
	}
	return true
}

func fillText(to reflect.Value, text string) bool {
	switch {
	case to.Type() == durationType:
		duration, err := time.ParseDuration(text)
		to.Field(0).SetInt(int64(duration))
		return err == nil
	case to.Kind() != reflect.String || !utf8.ValidString(text):
		return false
	}
	to.SetString(text)
	return true
}

var durationType = reflect.TypeFor[metav1.Duration]()

// specFields are the indexes of the fields of a spec, and of the structs in it, by their
// names in JSON. Structs are left out that hold fields under names that are not written.
var specFields = sync.OnceValue(func() map[reflect.Type]map[string]int {
	out := map[reflect.Type]map[string]int{}
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		if t = innermost(t); t.Kind() != reflect.Struct || t == durationType || out[t] != nil {
			return
		}
		fields := map[string]int{}
		out[t] = fields
		for i := range t.NumField() {
			field := t.Field(i)
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" {
				out[t] = nil
				return
			}
			fields[name] = i
			if options == "string" || reads(field.Type) {
				fields[name] = ownFormat
				continue
			}
			add(field.Type)
		}
	}
	add(reflect.TypeFor[helmv2.HelmReleaseSpec]())
	return out
})

// innermost returns the type of what pointers, lists and maps hold.
func innermost(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t
}

// reads reports whether a type reads JSON in a way of its own that is not known here, or
// holds one that does.
func reads(t reflect.Type) bool {
	for {
		p := reflect.PointerTo(t)
		own := p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
		if own && t != durationType || t.Kind() == reflect.Uint8 || t.Kind() == reflect.Interface || t.Kind() == reflect.Array {
			return true
		}
		if t.Kind() != reflect.Pointer && t.Kind() != reflect.Slice && t.Kind() != reflect.Map {
			return false
		}
		t = t.Elem()
	}
}
