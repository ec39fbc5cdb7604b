package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/flux-remedy/remedy/pkg/release"
)

// known reports whether the webhook is asked about a version of HelmRelease.
func known(version metav1.GroupVersionForDiscovery) bool {
	return slices.Contains(release.Versions, version.Version)
}

// versions looks for old versions of HelmRelease that the API server still serves, and for
// one that the webhook knows.
func (i Installation) versions(_ context.Context, api kubernetes.Interface) (string, error) {
	groups, err := api.Discovery().ServerGroups()
	if err != nil {
		return "", explain("the API versions that are served", err)
	}
	for _, group := range groups.Groups {
		if group.Name != release.Group {
			continue
		}
		var old []error
		if !slices.ContainsFunc(group.Versions, known) {
			return "", fmt.Errorf("the API server serves %s only in versions that the webhook does not know (%s): it is not asked, and nothing is judged; update remedy-webhook",
				release.Group, group.PreferredVersion.Version)
		}
		for _, version := range group.Versions {
			if version.Version != release.Versions[0] && known(version) {
				old = append(old, fmt.Errorf("the API server still serves %s: what is applied in it loses spec.install.strategy and spec.upgrade.strategy; "+
					"write releases in %s and update the CRDs of Flux", version.GroupVersion, release.Versions[0]))
			}
		}
		return fmt.Sprintf("only %s/%s is served", release.Group, release.Versions[0]), errors.Join(old...)
	}
	return "", fmt.Errorf("the API server serves no %s: nothing can be judged; install Flux with its CRDs", release.Group)
}
