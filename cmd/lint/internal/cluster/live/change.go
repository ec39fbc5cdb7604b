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

// Apply makes an object be as it is given, and leaves alone what others set of it.
func (c *Cluster) Apply(ctx context.Context, r Resource, namespace, name string, object any) error {
	r, err := c.Served(ctx, r)
	if err != nil {
		return err
	}
	body, err := json.Marshal(object)
	if err != nil {
		return err
	}
	return c.do(ctx, request{
		method: http.MethodPatch, path: r.at(namespace, name), query: url.Values{"fieldManager": {manager}, "force": {"true"}},
		contentType: "application/apply-patch+yaml", body: body,
	}, nil)
}

// Delete deletes an object. That it is not there is no error.
func (c *Cluster) Delete(ctx context.Context, r Resource, namespace, name string) error {
	r, err := c.Served(ctx, r)
	if err != nil {
		return err
	}
	err = c.do(ctx, request{method: http.MethodDelete, path: r.at(namespace, name)}, nil)
	if Is(err, http.StatusNotFound) {
		return nil
	}
	return err
}
