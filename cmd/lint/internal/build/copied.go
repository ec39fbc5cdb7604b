package build

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"
)

// errCopied stands for an error of kustomize that may quote what a build copies from Secrets.
var errCopied = errors.New(`the reason may hold what replacements or vars copy from a Secret, and is not shown: "kustomize build" says it`)

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
// which replacements cut them.
func (w *Walk) copied(built []*resource.Resource) Secrets {
	var out Secrets
	if !w.copies {
		return nil
	}
	for _, res := range built {
		if res.GetKind() != "Secret" {
			continue
		}
		for _, value := range res.GetDataMap() {
			out = append(out, value)
			if text, err := base64.StdEncoding.DecodeString(value); err == nil {
				out = append(out, string(text))
			}
		}
		if obj, err := objectByText(res); err == nil {
			texts, _ := obj["stringData"].(map[string]any)
			for _, value := range texts {
				text, _ := value.(string)
				out = append(out, text)
			}
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
