package forecast

import (
	"strings"
	"time"
)

// Readable writes a duration as an operator reads it: 750ms, 30s, 5m41s, 1h5m.
// From a minute on it rounds to whole seconds, from an hour on to whole minutes.
func Readable(d time.Duration) string {
	switch {
	case d >= time.Hour:
		d = d.Round(time.Minute)
	case d >= time.Minute:
		d = d.Round(time.Second)
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
