package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/flux-remedy/remedy/pkg/release"
)

// tierLabel is the label of a namespace that says its tier.
const tierLabel = "flux-remedy.io/tier"

// labels looks for namespaces whose label names no tier.
func (i Installation) labels(ctx context.Context, api kubernetes.Interface) (string, error) {
	namespaces, err := api.CoreV1().Namespaces().List(ctx, metav1.ListOptions{LabelSelector: tierLabel})
	if err != nil {
		return "", explain("the labels of namespaces", err)
	}
	var wrong []error
	for _, namespace := range namespaces.Items {
		tier := namespace.Labels[tierLabel]
		if _, err := release.ParseTier(tier); err != nil {
			wrong = append(wrong, fmt.Errorf("namespace %s: its label %s=%s names no tier, so it is judged as production: set one of %s",
				namespace.Name, tierLabel, tier, tiers()))
		}
	}
	return fmt.Sprintf("%d namespaces have a tier", len(namespaces.Items)), errors.Join(wrong...)
}

func tiers() string {
	var names []string
	for _, tier := range release.Tiers {
		names = append(names, string(tier))
	}
	return strings.Join(names, ", ")
}
