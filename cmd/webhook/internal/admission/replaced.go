package admission

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// replaced is the object that an update replaces, with the verdict on it today.
type replaced struct {
	rules.Verdict
	// release is nil if its settings cannot be told.
	release *release.Release
	// covered are its waivers by rule, in force or over.
	covered map[string]rules.Waiver
}

// replaced judges the object that an update replaces. While a value is there that no
// API server would take today, other rules do not speak; so it is judged once more
// without such values.
func (c *hearing) replaced(ctx context.Context) (*replaced, error) {
	out := &replaced{covered: map[string]rules.Waiver{}}
	for _, object := range []map[string]any{c.Old, nil} {
		if object == nil {
			if object = c.without(out.Findings, c.Old); object == nil {
				break
			}
		}
		old, err := c.decode(object)
		if err != nil {
			return nil, err
		}
		verdict, err := c.Engine.Evaluate(ctx, old, c.now)
		if err != nil {
			return nil, err
		}
		verdict.Findings = append(out.Findings, verdict.Findings...)
		out.Verdict = verdict
		if old.Settings != nil {
			out.release = old
		}
	}
	for _, waiver := range out.Waivers {
		for _, rule := range c.Engine.Named(waiver.Rule) {
			out.covered[rule.ID] = waiver
		}
	}
	return out, nil
}

// without returns a copy of an object without the values that the API server refuses; nil
// if there are none.
func (c *hearing) without(findings []rules.Finding, object map[string]any) map[string]any {
	var out map[string]any
	for _, finding := range findings {
		if rule, _ := c.Engine.Rule(finding.Rule); !rule.Refuses {
			continue
		}
		if out == nil {
			out = runtime.DeepCopyJSON(object)
		}
		remove(out, finding.Path)
	}
	return out
}

// remove deletes what is at a path of an object; of a list it deletes all.
func remove(object map[string]any, path release.Path) {
	for i, step := range path {
		key, _ := step.(string)
		inner, ok := object[key].(map[string]any)
		if !ok || i == len(path)-1 {
			delete(object, key)
			return
		}
		object = inner
	}
}
