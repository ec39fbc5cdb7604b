package variables

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Secrets are texts that Secrets supply by variables, the longest first.
type Secrets []string

// Secrets returns the values that Secrets supply.
func (v *Variables) Secrets() Secrets {
	out := slices.Clone(v.Copied)
	for name, from := range v.From {
		if from.Secret() && v.Values[name] != "" {
			out = append(out, v.Values[name])
		}
	}
	return out
}

// Mask replaces the secrets in a text.
func (s Secrets) Mask(text string) string {
	for _, secret := range s {
		text = mask(text, secret)
	}
	return text
}

// MaskAll returns texts with the secrets in them replaced.
func (s Secrets) MaskAll(texts []string) []string {
	var out []string
	for _, text := range texts {
		out = append(out, s.Mask(text))
	}
	return out
}

// Forms returns the texts with the other forms in which messages have them: quoted,
// cut, and as a duration that is written in another way.
func (s Secrets) Forms() Secrets {
	var out Secrets
	for _, text := range s {
		quoted := strconv.Quote(text)
		out = append(out, text, quoted[1:len(quoted)-1])
		if d, err := time.ParseDuration(text); err == nil {
			out = append(out, d.String(), strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m"))
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(out)
}

// cutFrom is the shortest beginning of a long text that a message may have of it.
const cutFrom = 16

func mask(text, secret string) string {
	if len(secret) < ShortSecret {
		return maskWord(text, secret)
	}
	for n := min(len(secret), 256); n >= min(cutFrom, len(secret)); n-- {
		if utf8.ValidString(secret[:n]) && strings.Contains(text, secret[:n]) {
			return strings.ReplaceAll(text, secret[:n], FromSecret)
		}
	}
	return text
}

// maskWord leaves words alone of which a short text is a part.
func maskWord(text, secret string) string {
	var b strings.Builder
	last := ' '
	for text != "" {
		next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text, secret))
		if strings.HasPrefix(text, secret) && !inWord(last) && (!inWord(next) || len(text) == len(secret)) {
			b.WriteString(FromSecret)
			text, last = text[len(secret):], ')'
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		b.WriteString(text[:size])
		text, last = text[size:], r
	}
	return b.String()
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
