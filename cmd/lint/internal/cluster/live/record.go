package live

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"

	"github.com/flux-remedy/remedy/internal/slim"
	"github.com/flux-remedy/remedy/pkg/loss"
	"github.com/flux-remedy/remedy/pkg/release"
)

// HelmRecord returns what a release consists of by Helm's own record of it: the newest revision in
// its status, in the namespace where Helm keeps it. Of the Secret only that one is read.
func (c *Cluster) HelmRecord(ctx context.Context, r *release.Release, status *release.Live) (*loss.Release, error) {
	latest := status.Status.History.Latest()
	if latest == nil {
		return nil, fmt.Errorf("its status names no record of Helm")
	}
	namespace := status.Status.StorageNamespace
	if namespace == "" {
		namespace = r.Settings.Target.StorageNamespace
	}
	q := Query{
		Resource: Resource{Version: "v1", Plural: "secrets"}, Namespace: namespace,
		Labels:  "owner=helm,name=" + latest.Name + ",version=" + strconv.Itoa(latest.Version),
		Without: &slim.Node{Inner: map[string]*slim.Node{"metadata": {Drop: true}}},
	}
	for object, err := range c.List(ctx, q) {
		if err != nil {
			return nil, fmt.Errorf("--helm-storage: %w", err)
		}
		data, _ := object["data"].(map[string]any)
		text, _ := data["release"].(string)
		record, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("the record cannot be read: %w", err)
		}
		return loss.FromRecord(record)
	}
	return nil, fmt.Errorf("the record of Helm's revision %d is not in namespace %s", latest.Version, namespace)
}
