package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestOrder builds each two components in both orders: the objects are the same, or an order
// is refused.
func TestOrder(t *testing.T) {
	components := folders(t, "components")
	compared := 0
	for i, one := range components {
		for _, other := range components[i+1:] {
			if one == "monitoring" && other == "secure-metrics" {
				continue // whose kustomization says that it stands after monitoring
			}
			first, err := tryAround(t, composition(one, other))
			second, otherwise := tryAround(t, composition(other, one))
			if err != nil || otherwise != nil {
				continue
			}
			compared++
			if a, b := unordered(first), unordered(second); !reflect.DeepEqual(a, b) {
				t.Errorf("%s and %s: %s", one, other, differing(a.([]any), b.([]any)))
			}
		}
	}
	if all := len(components) * (len(components) - 1) / 2; compared < all*2/3 {
		t.Errorf("of %d pairs only %d can be built", all, compared)
	}
}

// unordered returns objects without the order of any list.
func unordered(value any) any {
	switch value := value.(type) {
	case []unstructured.Unstructured:
		var all []any
		for _, object := range value {
			all = append(all, object.Object)
		}
		return unordered(all)
	case map[string]any:
		all := map[string]any{}
		for key, of := range value {
			all[key] = unordered(of)
		}
		return all
	case []any:
		var all []any
		for _, of := range value {
			all = append(all, unordered(of))
		}
		slices.SortFunc(all, func(a, b any) int { return strings.Compare(asText(a), asText(b)) })
		return all
	}
	return value
}

func asText(value any) string {
	data, _ := json.Marshal(value)
	return string(data)
}

// differing returns the first values of two lists that are not the same.
func differing(one, other []any) string {
	for i := range min(len(one), len(other)) {
		if !reflect.DeepEqual(one[i], other[i]) {
			return asText(one[i]) + "\n" + asText(other[i])
		}
	}
	return "not as many"
}
