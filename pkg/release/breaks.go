package release

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"
)

// What of a field's schema a value can break.
const (
	BreaksType     = "type"
	BreaksEnum     = "enum"
	BreaksMax      = "max"
	BreaksMin      = "min"
	BreaksPattern  = "pattern"
	BreaksRequired = "required" // a key is missing
	BreaksItems    = "items"    // what is in it is no text
)

// Breaks returns what of the schema a value breaks, for which the API server refuses it; empty
// if nothing. Of what is in an object only the keys count, and of a list nothing: those are fields
// of their own.
func (f SchemaField) Breaks(value any) string {
	switch f.Type {
	case "boolean":
		return typeIs[bool](value)
	case "array":
		return typeIs[[]any](value)
	case "integer":
		return broken(whole(value), BreaksType)
	case "object", "strings":
		return f.breaksObject(value)
	case "string", "duration":
		text, ok := value.(string)
		if !ok || f.Type == "duration" && !isDuration(text) {
			return BreaksType
		}
		return f.breaksText(text)
	}
	return "" // any
}

func broken(ok bool, by string) string {
	if ok {
		return ""
	}
	return by
}

func typeIs[T any](value any) string {
	_, ok := value.(T)
	return broken(ok, BreaksType)
}

func (f SchemaField) breaksObject(value any) string {
	object, ok := value.(map[string]any)
	if !ok {
		return BreaksType
	}
	if slices.ContainsFunc(f.Required, func(key string) bool { return object[key] == nil }) {
		return BreaksRequired
	}
	for _, item := range object {
		if _, isText := item.(string); f.Type == "strings" && !isText && item != nil {
			return BreaksItems
		}
	}
	return ""
}

func (f SchemaField) breaksText(text string) string {
	letters := utf8.RuneCountInString(text)
	switch {
	case f.Enum != nil && !slices.Contains(f.Enum, text):
		return BreaksEnum
	case f.Max > 0 && letters > f.Max:
		return BreaksMax
	case letters < f.Min:
		return BreaksMin
	case f.Pattern != "" && !regexp.MustCompile(f.Pattern).MatchString(text): // see readable
		return BreaksPattern
	}
	return ""
}

// isDuration reports whether a text is a duration in the API, which fits into one of Go.
func isDuration(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil && duration.MatchString(text)
}

var duration = regexp.MustCompile(durationPattern)

// whole reports whether a value is a whole number of about the range of an int64.
func whole(value any) bool {
	switch v := value.(type) {
	case int, int64, uint64:
		return true
	case float64:
		return v == math.Trunc(v) && math.Abs(v) < 9e18
	case json.Number:
		n, err := v.Float64()
		return err == nil && whole(n)
	}
	return false
}
