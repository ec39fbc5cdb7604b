package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"text/template"

	sprig "github.com/go-task/slim-sprig/v3"
	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Job is what a ResourceSet renders: every template with every set of inputs, all in
// the shapes of JSON.
type Job struct {
	Templates []string
	Inputs    []any
}

// Result is what came of a job: the objects, and a message for each part that cannot be
// rendered.
type Result struct {
	Objects  []map[string]any
	Failures []string
}

const (
	maxRendered = 10 << 20 // bytes of all templates of a job
	maxRounds   = 10_000   // templates times inputs
)

// boundless are the functions of slim-sprig that are not available to templates, because
// a number decides how much they return.
var boundless = []string{"repeat", "until", "untilStep", "seq"}

// Render renders a job in this process.
func Render(job Job) Result {
	var out Result
	if rounds := len(job.Templates) * len(job.Inputs); rounds > maxRounds {
		out.Failures = append(out.Failures, fmt.Sprintf("its templates and inputs give %d combinations, over the limit of %d", rounds, maxRounds))
		return out
	}
	left := &budget{left: maxRendered}
	for _, text := range job.Templates {
		for _, input := range job.Inputs {
			objects, err := render(text, input, left)
			if err != nil {
				out.Failures = append(out.Failures, err.Error())
			}
			if left.left < 0 {
				return out
			}
			out.Objects = append(out.Objects, objects...)
		}
	}
	return out
}

// budget is what may still be written.
type budget struct {
	bytes.Buffer
	left int
}

// Write fails beyond the budget, so that an endless template that writes stops.
func (b *budget) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, fmt.Errorf("it gives more than %d MiB", maxRendered>>20)
	}
	return b.Buffer.Write(p)
}

// render executes one template with one set of inputs, as flux-operator documents it:
// text/template between << and >>, with the functions of slim-sprig and inputs.
func render(text string, input any, to *budget) ([]map[string]any, error) {
	t, err := template.New("resources").Delims("<<", ">>").Funcs(functions(input)).Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("its template cannot be read: %w", err)
	}
	to.Reset()
	if err := t.Execute(to, nil); err != nil {
		return nil, fmt.Errorf("its template cannot be rendered: %w", err)
	}
	return objectsIn(to.Bytes())
}

func functions(input any) template.FuncMap {
	funcs := sprig.HermeticTxtFuncMap()
	for _, name := range boundless {
		delete(funcs, name)
	}
	funcs["inputs"] = func() any { return input }
	funcs["toYaml"] = func(v any) (string, error) {
		data, err := yaml.Marshal(v)
		return string(bytes.TrimSuffix(data, []byte("\n"))), err
	}
	return funcs
}

// objectsIn parses the output of a template into objects, also those in Lists.
func objectsIn(text []byte) ([]map[string]any, error) {
	nodes, ok := trace.Nodes(text)
	if !ok {
		return nil, errors.New("its template gives no YAML")
	}
	var out []map[string]any
	for _, node := range nodes {
		data, err := yaml.Marshal(node)
		if err != nil {
			return nil, err
		}
		var obj map[string]any
		if err := sigsyaml.Unmarshal(data, &obj); err != nil {
			return nil, fmt.Errorf("its template gives no object: %w", err)
		}
		out = append(out, object.Items(obj)...)
	}
	return out, nil
}
