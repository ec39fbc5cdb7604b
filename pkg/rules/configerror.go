package rules

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/flux-remedy/remedy/pkg/release"
)

// configSchema is the published schema of the configuration, docs/config.schema.json.
//
//go:embed config.schema.json
var configSchema []byte

// explain returns what the schema says is wrong with a configuration that could
// not be decoded: each mistake with its path and what is allowed there. The schema
// is compiled only here, where there is a mistake.
func explain(config []byte, cause error) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(config))
	if err != nil {
		return cause
	}
	spellOff(document)
	err = validateConfig(document)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return errors.Join(cause, err)
	}
	var mistakes []error
	for _, leaf := range leaves(invalid) {
		mistakes = append(mistakes, mistake(document, leaf)...)
	}
	if len(mistakes) == 0 {
		return cause
	}
	slices.SortFunc(mistakes, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(mistakes...)
}

func validateConfig(document any) error {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(configSchema))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("config.schema.json", schema); err != nil {
		return err
	}
	compiled, err := compiler.Compile("config.schema.json")
	if err != nil {
		return err
	}
	return compiled.Validate(document)
}

// leaves lists the errors that have no other cause.
func leaves(err *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(err.Causes) == 0 {
		return []*jsonschema.ValidationError{err}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range err.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// mistake says what is wrong at one place of a document.
func mistake(document any, err *jsonschema.ValidationError) []error {
	path := locate(document, err.InstanceLocation)
	switch k := err.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		return unknownFields(path, k.Properties, propertiesAt(err.SchemaURL))
	case *kind.Type:
		return []error{fmt.Errorf("%s is of type %s: want %s", path, k.Got, strings.Join(k.Want, " or "))}
	case *kind.Enum:
		return []error{fmt.Errorf("%s is %v: want %s", path, k.Got, words(k.Want))}
	case *kind.Format:
		return []error{fmt.Errorf("%s: %q %w", path, k.Got, errNoDay)} // the one format that there is
	case *kind.Required:
		return []error{fmt.Errorf("%s: missing %s", path, strings.Join(k.Missing, ", "))}
	}
	return []error{fmt.Errorf("%s: %s", path, err.ErrorKind.LocalizedString(message.NewPrinter(language.English)))}
}

// spellOff writes a bare off, which YAML 1.1 takes for false, where that is a word.
func spellOff(value any) {
	switch holder := value.(type) {
	case []any:
		for _, item := range holder {
			spellOff(item)
		}
	case map[string]any:
		for key, inner := range holder {
			if key == "severity" && inner == false {
				holder[key] = string(Off)
			}
			if modes, ok := inner.(map[string]any); ok && key == "enforcement" {
				maps.DeleteFunc(modes, func(_ string, mode any) bool { return mode == false })
			}
			spellOff(inner)
		}
	}
}

// locate follows a location of the validator, whose steps are all strings.
func locate(value any, location []string) (path release.Path) {
	for _, step := range location {
		switch holder := value.(type) {
		case []any:
			index, _ := strconv.Atoi(step)
			path, value = append(path, index), holder[index]
		case map[string]any:
			path, value = append(path, step), holder[step]
		}
	}
	return path
}

// unknownFields says of each field that is none what was meant, where one is alike.
func unknownFields(path release.Path, unknown, known []string) []error {
	var errs []error
	for _, name := range unknown {
		errs = append(errs, fmt.Errorf("unknown field %q: want %s%s",
			append(slices.Clone(path), name), strings.Join(known, ", "), didYouMean(name, known)))
	}
	return errs
}

// didYouMean asks for the word that differs least, in two letters or a third of
// them at most; it is empty if there is none.
func didYouMean(word string, words []string) string {
	best, distance := "", min(len(word), max(3, len(word)/3+1))
	for _, other := range words {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(other)); d < distance {
			best, distance = other, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// propertiesAt lists the fields that the schema has at a place of its own, such
// as config.schema.json#/$defs/ConfigSpec.
func propertiesAt(url string) []string {
	_, pointer, _ := strings.Cut(url, "#/")
	var at any
	if json.Unmarshal(configSchema, &at) != nil {
		return nil
	}
	for _, step := range strings.Split(pointer, "/") {
		if object, ok := at.(map[string]any); ok && step != "" {
			at = object[step]
		}
	}
	object, _ := at.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

func words(values []any) string {
	list := make([]string, len(values))
	for i, value := range values {
		list[i] = fmt.Sprint(value)
	}
	return strings.Join(list, ", ")
}
