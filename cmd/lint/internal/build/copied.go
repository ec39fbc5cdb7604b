package build

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	kustresource "sigs.k8s.io/kustomize/api/resource"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
)

// errCopied stands for an error of kustomize that may quote what a build copies from Secrets.
var errCopied = errors.New(`replacements or vars copy from a Secret, so the reason is not shown: it may hold a secret. Run "kustomize build" in its path to see it`)

// copying notes whether replacements or vars copy from Secrets, and what they cut values at.
func (w *Walk) copying(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			w.copying(item)
		}
	case map[string]any:
		for key, value := range v {
			from, isMap := value.(map[string]any)
			if isMap && (strings.EqualFold(key, "source") || strings.EqualFold(key, "objref")) {
				kind, _ := fold(from, "kind").(string)
				w.copies = w.copies || kind == "" || kind == "Secret"
				options, _ := fold(from, "options").(map[string]any)
				if cut, _ := fold(options, "delimiter").(string); cut != "" {
					w.cuts = append(w.cuts, cut)
				}
			}
			w.copying(value)
		}
	}
}

// fold returns a field whose name may be in another letter case.
func fold(fields map[string]any, name string) any {
	for key, value := range fields {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return nil
}

// copied returns what a build may copy from its Secrets: their values, as they are written and decoded, and the parts at
// which replacements cut them. A Secret that is copied may be changed or taken away later in the same build, so those count
// that are in the files, too.
func (w *Walk) copied(s *Source, built []*kustresource.Resource) variables.Secrets {
	if !w.copies {
		return nil
	}
	out := w.written(s)
	for _, res := range built {
		if obj, err := resource.New(res).Object(); err == nil {
			out = append(out, valuesOf(obj)...)
		}
	}
	for _, cut := range w.cuts {
		for _, value := range slices.Clone(out) {
			out = append(out, strings.Split(value, cut)...)
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(text string) bool { return text == "" })
}

// written returns the values of the Secrets in the files that a build reads, and the literals of those that it generates.
func (w *Walk) written(s *Source) (out variables.Secrets) {
	for _, name := range slices.Concat(w.Files, w.Parts) {
		file := s.plain.File(name)
		if file == nil {
			continue
		}
		parsed, err := s.by.contents.parse(file)
		if err != nil {
			continue
		}
		for _, doc := range parsed.Documents {
			value, _ := doc.Decode()
			obj, _ := value.(map[string]any)
			out = append(out, valuesOf(obj)...)
		}
	}
	for _, k := range w.Kusts {
		generators, _ := k.Object["secretGenerator"].([]any)
		for _, g := range generators {
			fields, _ := g.(map[string]any)
			literals, _ := fields["literals"].([]any)
			for _, literal := range literals {
				text, _ := literal.(string)
				_, value, _ := strings.Cut(text, "=")
				out = append(out, value, strings.Trim(value, `"'`))
			}
		}
	}
	return out
}

// valuesOf returns the values of a Secret, as they are written and decoded; nothing of another object.
func valuesOf(obj map[string]any) (out variables.Secrets) {
	if obj["kind"] != "Secret" {
		return nil
	}
	for _, field := range []string{"data", "stringData"} {
		values, _ := obj[field].(map[string]any)
		for _, value := range values {
			text, _ := value.(string)
			out = append(out, text)
			if decoded, err := base64.StdEncoding.DecodeString(text); err == nil && field == "data" {
				out = append(out, string(decoded))
			}
		}
	}
	return out
}
