package rules

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	kjson "sigs.k8s.io/json"
)

var (
	position  = regexp.MustCompile(`\[\d+\]`)
	wrongType = regexp.MustCompile(`cannot unmarshal (\w+) into Go struct field \w+\.(\S+) of type (\S+)$`)
)

// plainly says of an error in a configuration which field it is, and what would
// be right there.
func plainly(err error) error {
	var field kjson.FieldError
	if errors.As(err, &field) {
		return fmt.Errorf("%w: want %s", err, strings.Join(slices.Sorted(maps.Keys(fields(holder(field.FieldPath())))), ", "))
	}
	if errors.Is(err, errNoDay) {
		return fmt.Errorf("spec.waivers.entries: until: %w", err)
	}
	if m := wrongType.FindStringSubmatch(err.Error()); m != nil {
		path := m[2]
		return fmt.Errorf("%s is of type %s: want %s", path, m[1], kind(fields(holder(path))[path[strings.LastIndex(path, ".")+1:]]))
	}
	return err
}

// kind names a type in the words of JSON.
func kind(t reflect.Type) string {
	if t == nil {
		return "another"
	}
	switch t.Kind() {
	case reflect.Slice:
		return "array"
	case reflect.String, reflect.Bool:
		return t.Kind().String()
	}
	return "object"
}

// holder is the type of what holds the last field of a path.
func holder(path string) reflect.Type {
	t := reflect.TypeFor[Config]()
	steps := strings.Split(position.ReplaceAllString(path, ""), ".")
	for _, step := range steps[:len(steps)-1] {
		if t.Kind() == reflect.Map {
			t = element(t.Elem())
		} else if next := fields(t)[step]; next != nil {
			t = element(next)
		}
	}
	return t
}

func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// fields gives the types of a struct's fields by their names in YAML.
func fields(t reflect.Type) map[string]reflect.Type {
	found := map[string]reflect.Type{}
	if t.Kind() != reflect.Struct {
		return found
	}
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			found[name] = f.Type
		}
	}
	return found
}
