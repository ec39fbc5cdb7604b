package live

import (
	"context"
	"net/http"
)

// deployments are where the controllers of Flux run.
var deployments = Resource{Group: "apps", Version: "v1", Plural: "deployments"}

// HelmController returns the Deployment of helm-controller where "flux bootstrap" and
// "flux install" put it. It is nil if it is not there, or must not be read: that right is
// optional.
func (c *Cluster) HelmController(ctx context.Context) (map[string]any, error) {
	object, err := c.Get(ctx, deployments, "flux-system", "helm-controller", unread)
	if Is(err, http.StatusNotFound) || Is(err, http.StatusForbidden) {
		return nil, nil
	}
	return object, err
}
