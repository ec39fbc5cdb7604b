package main

import (
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// apiField is what the API server's schema says of one field.
type apiField struct {
	Type     string
	Required []string
	Enum     []string
	Min, Max int
	Pattern  string
	Since    string // the helm-controller that first had it, if that is newer than the API version
}

// apiReader collects the fields of Go types, with the markers of their source.
type apiReader struct {
	fields  map[string]apiField
	markers markers
}

// apiFields returns the fields of a HelmRelease's spec by their names: keys below
// spec joined by dots, * for the items of a list. That of the spec itself is empty.
func apiFields(spec reflect.Type) (map[string]apiField, error) {
	r := apiReader{fields: map[string]apiField{}, markers: markers{}}
	return r.fields, r.add(spec, "")
}

// add adds the fields at and below a name.
func (r *apiReader) add(typ reflect.Type, name string) (err error) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	own := r.fields[name]
	own.Type = kindOf(typ)
	switch own.Type {
	case "array":
		err = r.add(typ.Elem(), name+".*")
	case "object":
		own.Required, err = r.addStruct(typ, name)
	}
	r.fields[name] = own
	return err
}

// addStruct adds the fields of a struct and returns the required ones.
func (r *apiReader) addStruct(typ reflect.Type, at string) (required []string, err error) {
	known, err := r.markers.of(typ.PkgPath())
	if err != nil {
		return nil, err
	}
	for _, f := range reflect.VisibleFields(typ) {
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || key == "" || key == "-" {
			continue
		}
		marker, name := known[typ.Name()+"."+f.Name], strings.TrimPrefix(at+"."+key, ".")
		r.fields[name] = apiField{
			Enum: marker.enum(), Pattern: marker.pattern(), Min: marker.number("MinLength"), Max: marker.number("MaxLength"),
		}
		if err := r.add(f.Type, name); err != nil {
			return nil, err
		}
		if marker.required(slices.Contains(strings.Split(options, ","), "omitempty")) {
			required = append(required, key)
		}
	}
	return required, nil
}

// kindOf names a type as the table does.
func kindOf(typ reflect.Type) string {
	switch typ {
	case reflect.TypeFor[metav1.Duration]():
		return "duration"
	case reflect.TypeFor[apiextensionsv1.JSON]():
		return "any"
	}
	switch typ.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "integer"
	case reflect.Slice:
		return "array"
	case reflect.Map:
		return "strings"
	}
	return "object"
}
