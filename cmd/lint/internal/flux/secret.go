package flux

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// secrets are texts of a release that Secrets supply to it by variables, the longest
// first.
type secrets []string

// findSecrets looks for what the Secrets of the Kustomizations that apply a release
// supply. A value that is equal counts as theirs, however it came there.
func (r *Release) findSecrets() {
	var supplied []string
	for _, k := range r.origins.chain {
		for name, from := range k.Variables.From {
			if from.Secret() && k.Variables.Values[name] != "" {
				supplied = append(supplied, k.Variables.Values[name])
			}
		}
	}
	if len(supplied) == 0 {
		return
	}
	object.Leaves(nil, r.Object, func(at release.Path, v any) {
		text, before := fmt.Sprint(v), len(r.secrets)
		for _, value := range supplied {
			if text == value || len(value) >= build.ShortSecret && strings.Contains(text, value) {
				r.secrets = append(r.secrets, value)
			}
		}
		if r.usesSecret(at) {
			r.secrets = append(r.secrets, text)
		}
		if len(r.secrets) > before && len(at) > 1 && at[0] == "spec" && at[1] != "values" {
			r.secretSettings = true
		}
	})
	r.secrets = r.secrets.forms()
}

// usesSecret reports whether a field is written with a variable that a Secret supplies.
func (r *Release) usesSecret(at release.Path) bool {
	origin, ok := r.origins.writerOf(at)
	text, isText := origin.Value.(string)
	if !ok || !isText {
		return false
	}
	for _, m := range build.VariableUse().FindAllStringSubmatch(text, -1) {
		for _, k := range r.origins.chain {
			if k.Variables.From[m[1]].Secret() {
				return true
			}
		}
	}
	return false
}

// forms returns the texts with the other forms in which messages have them: quoted,
// cut, and as a duration that is written in another way.
func (s secrets) forms() secrets {
	var out secrets
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

// Mask replaces what Secrets supply in a text about the release.
func (r *Release) Mask(text string) string {
	for _, secret := range r.secrets {
		text = mask(text, secret)
	}
	return text
}

// MaskValue returns a copy of a value of the release with what Secrets supply
// replaced, numbers too.
func (r *Release) MaskValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key := range v {
			out[r.Mask(key)] = r.MaskValue(v[key])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = r.MaskValue(v[i])
		}
		return out
	case string:
		return r.Mask(v)
	case nil:
		return nil
	}
	if slices.Contains(r.secrets, fmt.Sprint(v)) {
		return build.FromSecret
	}
	return v
}

// MaskDegree returns how bad a finding of the release is, or zero if that may tell a
// setting that a Secret supplies.
func (r *Release) MaskDegree(degree float64) float64 {
	if r.secretSettings {
		return 0
	}
	return degree
}

// cutFrom is the shortest beginning of a long text that a message may have of it.
const cutFrom = 16

func mask(text, secret string) string {
	if len(secret) < build.ShortSecret {
		return maskWord(text, secret)
	}
	for n := min(len(secret), 256); n >= min(cutFrom, len(secret)); n-- {
		if utf8.ValidString(secret[:n]) && strings.Contains(text, secret[:n]) {
			return strings.ReplaceAll(text, secret[:n], build.FromSecret)
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
			b.WriteString(build.FromSecret)
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

// ID returns the name of the release, as far as it may be told.
func (r *Release) ID() release.Name {
	return release.Name{Namespace: r.Mask(r.Namespace), Name: r.Mask(r.Name)}
}
