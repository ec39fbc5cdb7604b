package main

import (
	"encoding/json"
	"sync"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// texts remembers parts of denials that take long to make and that many have in common. They
// depend on nothing but what they are asked for. It is safe for concurrent use.
type texts struct {
	mu       sync.Mutex
	fixes    map[string]string
	foreseen forecast.Memory
}

// maxTexts is how many of each are remembered. A fix has at most half of a denial, a forecast
// some kilobytes.
const maxTexts = 200

// foresee returns how a scenario ends for a release whose settings are known.
func (t *texts) foresee(r *release.Release, scenario forecast.Scenario) string {
	if t == nil {
		t = &texts{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.foreseen == nil || len(t.foreseen) >= maxTexts {
		t.foreseen = forecast.Memory{}
	}
	return t.foreseen.Run(*r.Settings, r.Controller, scenario).Outcome.Summary
}

// of returns the text of a fix.
func (t *texts) of(f fix) string {
	key, err := json.Marshal([]any{f.edits, f.but})
	if t == nil || err != nil || len(key) > maxDenial {
		return f.text()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	text, ok := t.fixes[string(key)]
	if ok {
		return text
	}
	if t.fixes == nil || len(t.fixes) >= maxTexts {
		t.fixes = map[string]string{}
	}
	text = f.text()
	t.fixes[string(key)] = text
	return text
}
