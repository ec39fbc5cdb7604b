package build

import (
	"encoding/base64"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// refusedIn returns why the API server refuses what a ConfigMap or a Secret holds, so that Flux
// applies nothing of its Kustomization; "" if it does not. What depends on a variable or is
// encrypted is not judged.
func refusedIn(obj map[string]any) string {
	is := identityIn(obj)
	if !is.holdsData() || obj["sops"] != nil {
		return ""
	}
	what := fmt.Sprintf("has %s %s with ", is.kind, is.name)
	for _, values := range []any{obj["data"], obj["stringData"], obj["binaryData"], object.At(obj, "metadata", "labels"), object.At(obj, "metadata", "annotations")} {
		if holds(values, isNoText) {
			return what + "a value that is no text, which the API server refuses: put it in quotes"
		}
	}
	encoded := obj["binaryData"]
	if is.kind == "Secret" {
		encoded = obj["data"]
	}
	if holds(encoded, isNoBase64) {
		return what + "data that is not base64, which the API server refuses"
	}
	return ""
}

// refusedInside is refusedIn for what kustomize has built.
func (i identity) refusedInside(res *resource.Resource) string {
	if !i.holdsData() {
		return ""
	}
	obj, err := objectByText(res)
	if err != nil {
		return ""
	}
	return refusedIn(obj)
}

func (i identity) holdsData() bool {
	return i.group == "" && (i.kind == "ConfigMap" || i.kind == "Secret")
}

// holds reports whether a value of an object is such.
func holds(obj any, such func(any) bool) bool {
	values, _ := obj.(map[string]any)
	for _, value := range values {
		if such(value) {
			return true
		}
	}
	return false
}

func isNoText(value any) bool {
	_, ok := value.(string)
	return !ok && value != nil
}

func isNoBase64(value any) bool {
	text, _ := value.(string)
	_, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "").Replace(text))
	return err != nil && !strings.Contains(text, "$") && !markers().MatchString(text)
}
