package crd

import (
	"encoding/json"
	"regexp"
	"sync"
)

// Pattern is a regular expression, which is compiled when a text is first held to it.
type Pattern struct {
	text     string
	compiled func() (*regexp.Regexp, error)
}

// UnmarshalJSON reads the pattern from a string.
func (p *Pattern) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	*p = Pattern{text, sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(text) })}
	return nil
}

// MarshalJSON writes the pattern as a string.
func (p Pattern) MarshalJSON() ([]byte, error) { return json.Marshal(p.text) }

func (p Pattern) String() string { return p.text }

// matches reports whether a text matches. One that Go cannot compile counts as matched.
func (p Pattern) matches(text string) bool {
	if p.text == "" {
		return true
	}
	expression, err := p.compiled()
	return err != nil || expression.MatchString(text)
}
