package build

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Refused returns why the API server refuses a Flux Kustomization, so that the cluster keeps
// the former one, or what in it is not known here; "" if there is neither.
func (b *Builder) Refused(ks map[string]any, as resource.Reading) string {
	if apiVersion := variables.Unmark(object.String(ks, "apiVersion")); (object.Identity{APIVersion: apiVersion, Kind: "Kustomization"}).Newer() {
		return fmt.Sprintf("has the apiVersion %q, which is %s", apiVersion, object.MisspeltOrNewer)
	}
	content, err := json.Marshal(trace.Without(ks))
	if err != nil {
		return ""
	}
	key := sha256.Sum256(append(content, byte(as)))
	return b.refused.Of(key, func() string { return resource.RefusedContent(ks, as) })
}
