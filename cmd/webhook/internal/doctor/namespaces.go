package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"

	"github.com/flux-remedy/remedy/pkg/release"
)

// shown is how many namespaces are named.
const shown = 5

// namespaces looks for releases that no webhook of the registration is asked about. Other
// checks say what else cannot be read.
func (i Installation) namespaces(ctx context.Context, api kubernetes.Interface) (string, error) {
	registration, err := api.AdmissionregistrationV1().ValidatingWebhookConfigurations().Get(ctx, i.Registration, metav1.GetOptions{})
	if err != nil || len(registration.Webhooks) == 0 {
		return "", nil
	}
	all, err := api.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", nil
	}
	releases, err := releasesIn(ctx, api)
	if err != nil {
		return "", explain(`the list of all "helmreleases"`, err)
	}
	matched, judged, missed := 0, 0, []string{}
	for _, namespace := range all.Items {
		asked, err := matches(registration.Webhooks, namespace)
		switch count := releases[namespace.Name]; {
		case err != nil:
			return "", err
		case asked:
			matched, judged = matched+1, judged+count
		case count > 0 && namespace.Labels[tierLabel] != string(release.Development):
			missed = append(missed, fmt.Sprintf("%s (%d)", namespace.Name, count))
		}
	}
	var wrong []error
	if matched == 0 {
		wrong = append(wrong, fmt.Errorf("no namespace is matched by the selectors of %s, so that nothing is judged: "+
			"label namespaces %s=production, or take the component production-cluster", i.Registration, tierLabel))
	}
	if len(missed) > 0 {
		wrong = append(wrong, fmt.Errorf("releases in %d namespaces are not judged, because no webhook of %s matches them: %s: "+
			"label the namespaces %s with one of %s", len(missed), i.Registration, some(missed), tierLabel, tiers()))
	}
	return fmt.Sprintf("%d releases in %d namespaces are judged, and no others are there but in development", judged, matched), errors.Join(wrong...)
}

// some names the first of a list, and how many there are more.
func some(names []string) string {
	slices.Sort(names)
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

// matches reports whether a webhook is asked about releases in a namespace.
func matches(webhooks []registrationv1.ValidatingWebhook, namespace corev1.Namespace) (bool, error) {
	for _, webhook := range webhooks {
		if asked, err := selected(webhook.NamespaceSelector, namespace); err != nil {
			return false, fmt.Errorf("webhook %s: its namespaceSelector cannot be read: %w", webhook.Name, err)
		} else if asked {
			return true, nil
		}
	}
	return false, nil
}

// selected reports whether a namespaceSelector matches a namespace; without one all match.
func selected(by *metav1.LabelSelector, namespace corev1.Namespace) (bool, error) {
	selector, err := metav1.LabelSelectorAsSelector(by)
	if err != nil {
		return false, err
	}
	return by == nil || selector.Matches(labels.Set(namespace.Labels)), nil
}

// releasesIn counts the HelmReleases by their namespaces.
func releasesIn(ctx context.Context, api kubernetes.Interface) (map[string]int, error) {
	counts := map[string]int{}
	for next := ""; ; {
		raw, err := api.Discovery().RESTClient().Get().AbsPath("/apis", release.Group, release.Versions[0], "helmreleases").
			Param("limit", "500").Param("continue", next).
			SetHeader("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1").Do(ctx).Raw()
		if err != nil {
			return nil, err
		}
		var page metav1.PartialObjectMetadataList
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			counts[item.Namespace]++
		}
		if next = page.Continue; next == "" {
			return counts, nil
		}
	}
}
