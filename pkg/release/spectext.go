package release

import (
	"encoding/json"
	"math"
	"strconv"
)

// appendJSON appends a value that was decoded from JSON as JSON: the same as json.Marshal,
// but for the order of keys, without reflection for what a release is made of.
func appendJSON(to []byte, value any) ([]byte, error) {
	var err error
	switch value := value.(type) {
	case map[string]any:
		to = append(to, '{')
		first := true
		for key, inner := range value {
			if !first {
				to = append(to, ',')
			}
			first = false
			if to, err = appendString(to, key); err != nil {
				return nil, err
			}
			if to, err = appendJSON(append(to, ':'), inner); err != nil {
				return nil, err
			}
		}
		return append(to, '}'), nil
	case string:
		return appendString(to, value)
	case bool:
		return strconv.AppendBool(to, value), nil
	case float64:
		if value == math.Trunc(value) && math.Abs(value) < 1<<53 && !(value == 0 && math.Signbit(value)) {
			return strconv.AppendInt(to, int64(value), 10), nil
		}
	}
	text, err := json.Marshal(value)
	return append(to, text...), err
}

func appendString(to []byte, text string) ([]byte, error) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			quoted, err := json.Marshal(text)
			return append(to, quoted...), err
		}
	}
	return append(append(append(to, '"'), text...), '"'), nil
}
