package release

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var fieldStep = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:([A-Za-z_][A-Za-z0-9_-]*)|\[([0-9]+)\]|\[("(?:[^"\\]|\\.)*")\])`)
})

// ParseField reads a path as [Path.String] writes it.
func ParseField(text string) (Path, error) {
	var out Path
	for rest := text; rest != ""; {
		step := fieldStep().FindStringSubmatch(rest)
		switch {
		case step == nil:
			return nil, errors.New("want a path such as spec.upgrade.remediation.retries")
		case step[1] != "":
			out = append(out, step[1])
		case step[2] != "":
			i, err := strconv.Atoi(step[2])
			if err != nil {
				return nil, fmt.Errorf("index %s is too large", step[2])
			}
			out = append(out, i)
		default:
			key, err := strconv.Unquote(step[3])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", step[3], err)
			}
			out = append(out, key)
		}
		rest = rest[len(step[0]):]
		if dotted, ok := strings.CutPrefix(rest, "."); ok && dotted != "" {
			rest = dotted
		}
	}
	return out, nil
}

// APIFields lists the fields below spec of a HelmRelease, in the newest version of the API,
// by their paths. What is in lists and maps is left out.
func APIFields() []Path {
	var out []Path
	for _, field := range fieldsIn(Path{"spec"}, reflect.TypeFor[helmv2.HelmReleaseSpec]()) {
		out = append(out, field.path)
	}
	return out
}

// MayHold reports whether a field may have others in it. It has none if the API wants a
// number, a text or a duration there.
func MayHold(at Path) bool {
	return !slices.ContainsFunc(fieldsIn(Path{"spec"}, reflect.TypeFor[helmv2.HelmReleaseSpec]()), func(f apiField) bool {
		return f.scalar && slices.Equal(f.path, at)
	})
}

type apiField struct {
	path   Path
	scalar bool
}

// scalarKinds are those of numbers, texts and true or false.
var scalarKinds = []reflect.Kind{reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.String}

func fieldsIn(at Path, typ reflect.Type) []apiField {
	var out []apiField
	for i := range typ.NumField() {
		name, options, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		inner := typ.Field(i).Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		field := at
		if options != "inline" && name != "" {
			field = append(slices.Clone(at), name)
			scalar := slices.Contains(scalarKinds, inner.Kind()) || inner == reflect.TypeFor[metav1.Duration]()
			out = append(out, apiField{field, scalar})
		}
		if inner.Kind() == reflect.Struct && strings.HasPrefix(inner.PkgPath(), "github.com/fluxcd/") {
			out = append(out, fieldsIn(field, inner)...)
		}
	}
	return out
}
