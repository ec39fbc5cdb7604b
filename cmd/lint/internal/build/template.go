package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"text/template"
	"time"

	sprig "github.com/go-task/slim-sprig/v3"
	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// boundless are the functions of slim-sprig that are not available to templates, because
// a number decides how much they return. The results of other functions have no limit
// either: a template is trusted not to exhaust the memory.
var boundless = []string{"repeat", "until", "untilStep", "seq"}

// Limits of templates, which can loop over any number.
const (
	maxRendered   = 10 << 20         // bytes
	maxRenderTime = 10 * time.Second // for all templates of a ResourceSet
)

// bounded is a buffer whose writes fail beyond maxRendered bytes, and once ctx is done,
// so that an endless template stops.
type bounded struct {
	bytes.Buffer
	ctx context.Context
}

func (b *bounded) Write(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.Len()+len(p) > maxRendered {
		return 0, fmt.Errorf("it gives more than %d MiB", maxRendered>>20)
	}
	return b.Buffer.Write(p)
}

// render executes one template with one set of inputs, as flux-operator
// documents it: text/template between << and >>, with the functions of
// slim-sprig and inputs.
func render(ctx context.Context, text string, input any) ([]map[string]any, error) {
	t, err := template.New("resources").Delims("<<", ">>").Funcs(functions(input)).Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("its template cannot be read: %w", err)
	}
	b := &bounded{ctx: ctx}
	done := make(chan error, 1)
	go func() { done <- t.Execute(b, nil) }()
	select {
	case err = <-done:
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		err = errors.New("it takes too long")
	}
	if err != nil {
		return nil, fmt.Errorf("its template cannot be rendered: %w", err)
	}
	return objectsIn(b.Bytes())
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
