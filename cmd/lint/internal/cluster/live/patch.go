package live

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// manager is the name under which the API server notes what this program changes.
const manager = "flux-remedy"

// Patch merges a patch into an object and returns the object without what is left out
// of a HelmRelease. One with metadata.resourceVersion is refused (409) if the object
// has changed since.
func (c *Cluster) Patch(ctx context.Context, r Resource, namespace, name string, patch map[string]any) (map[string]any, error) {
	r, err := c.Served(ctx, r)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(patch)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	err = c.do(ctx, request{
		method: http.MethodPatch, path: r.at(namespace, name), query: url.Values{"fieldManager": {manager}},
		contentType: "application/merge-patch+json", body: body, without: unread,
	}, &object)
	return object, err
}
