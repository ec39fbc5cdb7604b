package live

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

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
