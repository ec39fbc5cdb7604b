package release

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	kjson "sigs.k8s.io/json"
)

// failureSections are the fields of spec that say what happens when an action fails.
var failureSections = []string{"install", "upgrade", "test", "rollback", "uninstall", "waitStrategy", "driftDetection"}

// words are the values that the API has for fields in failureSections, by the names of the
// fields below spec. A test holds them to the API's markers.
var words = map[string][]string{
	"install.crds":                    {"Skip", "Create", "CreateReplace"},
	"install.strategy.name":           {"RemediateOnFailure", "RetryOnFailure"},
	"upgrade.chartNameChangeStrategy": {"InPlaceUpdate", "Reinstall"},
	"upgrade.crds":                    {"Skip", "Create", "CreateReplace"},
	"upgrade.remediation.strategy":    {"rollback", "uninstall"},
	"upgrade.serverSideApply":         {"enabled", "disabled", "auto"},
	"upgrade.strategy.name":           {"RemediateOnFailure", "RetryOnFailure"},
	"rollback.serverSideApply":        {"enabled", "disabled", "auto"},
	"uninstall.deletionPropagation":   {"background", "foreground", "orphan"},
	"waitStrategy.name":               {"poller", "legacy"},
	"driftDetection.mode":             {"enabled", "warn", "disabled"},
}

// FailureFields lists the fields of an object in failureSections and of those in it that are understood, without
// lists, by the path of the object.
func FailureFields() map[string][]string {
	out := map[string][]string{}
	for _, field := range APIFields() {
		section, _ := field[1].(string)
		if len(field) > 2 && slices.Contains(failureSections, section) && goType(fieldName(field)) != "" {
			above := field[:len(field)-1].String()
			out[above] = append(out[above], field[len(field)-1].(string))
		}
	}
	return out
}

// FailureWords lists the values that the API has for fields in failureSections, by the paths
// of the fields.
func FailureWords() map[string][]string {
	out := map[string][]string{}
	for name, list := range words {
		out["spec."+name] = list
	}
	return out
}

// inForce returns those of the unfamiliar fields and values of a release that an API server has
// admitted, or that its definition has; without a definition the strategies, unless it is known
// that the API does not have them.
func (r *Release) inForce(unfamiliar []Path) (found []Path) {
	for _, at := range unfamiliar {
		schema := r.Controller.Schema
		defined := schema != nil && schema.takes(r.Object, at)
		if r.Admitted || defined || schema == nil && !r.Controller.KnowsSchema() && isStrategy(at) {
			found = append(found, at)
		}
	}
	return found
}

// unfamiliar returns what is not known of the failure settings of an object, in order: fields
// that the API does not have here, and values that it does not have for a field.
func unfamiliar(object map[string]any) (found []Path) {
	spec, _ := object["spec"].(map[string]any)
	for _, section := range failureSections {
		if value, ok := spec[section]; ok {
			of := fieldType(reflect.TypeFor[helmv2.HelmReleaseSpec](), section)
			found = append(found, unfamiliarIn(Path{"spec", section}, of, value)...)
		}
	}
	slices.SortFunc(found, comparePaths)
	return found
}

// unfamiliarIn is unfamiliar for the value at a path, where the API has a type.
func unfamiliarIn(at Path, of reflect.Type, value any) (found []Path) {
	switch value := value.(type) {
	case map[string]any:
		if specFields()[of] == nil {
			return nil
		}
		for key, inner := range value {
			path := append(slices.Clip(at), key)
			if field := fieldType(of, key); field != nil {
				found = append(found, unfamiliarIn(path, field, inner)...)
			} else {
				found = append(found, path)
			}
		}
	case []any:
		for i, item := range value {
			if of.Kind() == reflect.Slice {
				found = append(found, unfamiliarIn(append(slices.Clip(at), i), of.Elem(), item)...)
			}
		}
	case string:
		known, limited := words[strings.TrimPrefix(at.String(), "spec.")]
		if limited && !slices.Contains(known, value) {
			found = append(found, at)
		}
	}
	return found
}

// unreadable returns the values of an object's spec whose type is not the one that the API has here. If
// an item of a list or a map is wrong, the whole list or map is returned.
func unreadable(object map[string]any) (found []Unknown) {
	spec, ok := object["spec"].(map[string]any)
	if _, err := typed(object, true); err == nil || !ok {
		return nil
	}
	for _, at := range unreadableIn(Path{"spec"}, reflect.TypeFor[helmv2.HelmReleaseSpec](), without(spec, "values")) {
		found = append(found, Unknown{Path: at, Reason: "has a value of a type that is not known"})
	}
	return found
}

// unreadableIn returns the paths of such values at and below a path, where the API has the type of.
func unreadableIn(at Path, of reflect.Type, value any) (found []Path) {
	object, ok := value.(map[string]any)
	if !ok || specFields()[of] == nil {
		raw, err := json.Marshal(value)
		if err == nil {
			err = kjson.UnmarshalCaseSensitivePreserveInts(raw, reflect.New(of).Interface())
		}
		if err != nil {
			found = append(found, at)
		}
		return found
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if field := fieldType(of, key); field != nil {
			found = append(found, unreadableIn(append(slices.Clip(at), key), field, object[key])...)
		}
	}
	return found
}

// fieldType returns the type of a field of a struct by its name in JSON, or what a pointer
// there points to; nil if there is no such field.
func fieldType(of reflect.Type, name string) reflect.Type {
	at, ok := specFields()[of][name]
	if !ok {
		return nil
	}
	for i := 0; at == ownFormat; i++ {
		if tag, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); tag == name {
			at = i
		}
	}
	of = of.Field(at).Type
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return of
}
