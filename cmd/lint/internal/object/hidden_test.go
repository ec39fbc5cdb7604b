package object

import "testing"

func TestHidesWords(t *testing.T) {
	for text, want := range map[string]bool{
		"":                              false,
		"kind: HelmRelease\n":           false,
		`a: "\n \\ \" \t \/ \`:          false,
		`kind: "Helm\x52elease"`:        true,
		`{"kind": "Helm\u0052elease"}`:  true,
		`kind: "Helm\U00000052elease"`:  true,
		"kind: \"Helm\\\nRelease\"":     true,
		"kind: \"Helm\\\r\nRelease\"":   true,
		"kind: \"Helm\\\rRelease\"":     false,
		`a: "\n\x52"`:                   true,
		"kind: !!binary SGVsbQ==":       true,
		"kind: !<tag:yaml.org,2002:b> ": true,
		"%TAG !b! tag:x\n---\n":         true,
		"---\n%TAG !b! tag:x\n":         true,
		"kind: ${KIND}\n":               true,
		"a: ${A}\nkind : ENC[x]\n":      true,
		"kind: A\na: ${A}\n":            false,
		"a: 10%TAG":                     false,
		"\xff\xfek\x00":                 true,
		"a: b\n---\n\xfe\xff\x00k":      true,
	} {
		if got := hidesWords([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// FuzzMasks holds the search that looks only at some lines to one that looks at all.
func FuzzMasks(f *testing.F) {
	for _, text := range []string{"kind: ${K}", "kind\n \n :\tENC[x", "a: ${A}\nkind: x\nb: ${B}", "apiVersion' : a ${ENC[", "\n\n${\nkind: ENC[${"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := masks([]byte(text)), masked().MatchString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}
