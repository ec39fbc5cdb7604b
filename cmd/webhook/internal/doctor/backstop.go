package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// ofBackstop selects what "flux-remedy vap" has written; digestOf is the annotation with the
// digest of the policies.
const (
	ofBackstop = "app.kubernetes.io/part-of=flux-remedy"
	digestOf   = "flux-remedy.io/policy-digest"
)

// backstop looks for policies that judge less than the webhook does. Other checks say what
// else cannot be read.
func (i Installation) backstop(ctx context.Context, api kubernetes.Interface) (string, error) {
	bindings, err := api.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings().List(ctx, metav1.ListOptions{LabelSelector: ofBackstop})
	switch {
	case apierrors.IsNotFound(err), err == nil && len(bindings.Items) == 0:
		return "no policies are installed for the time that the webhook is away", nil
	case err != nil:
		return "", explain("the bindings of the policies", err)
	}
	registration, err := api.AdmissionregistrationV1().ValidatingWebhookConfigurations().Get(ctx, i.Registration, metav1.GetOptions{})
	if err != nil {
		return "", nil
	}
	namespaces, err := api.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", nil
	}
	var wrong []error
	for _, webhook := range registration.Webhooks {
		wrong = append(wrong, i.covered(webhook, bindings.Items, namespaces.Items))
	}
	for _, binding := range bindings.Items {
		if digest := binding.Annotations[digestOf]; digest != i.Digest.String() {
			wrong = append(wrong, fmt.Errorf("the binding %s is of policy digest %s, and the configuration given here has %s: write the policies anew with flux-remedy vap --config",
				binding.Name, rules.Digest(digest).Short(), i.Digest.Short()))
		}
	}
	return fmt.Sprintf("%d policies judge where the webhook does", len(bindings.Items)), errors.Join(wrong...)
}

// covered returns how the bindings of a webhook's tier judge less than the webhook.
func (i Installation) covered(webhook registrationv1.ValidatingWebhook, bindings []registrationv1.ValidatingAdmissionPolicyBinding, namespaces []corev1.Namespace) error {
	name, _, _ := strings.Cut(webhook.Name, ".")
	tier, err := release.ParseTier(name)
	if err != nil {
		return nil // not of the manifests
	}
	var wrong []error
	found := false
	for _, binding := range bindings {
		if !strings.Contains(binding.Spec.PolicyName, "flux-remedy-"+string(tier)) {
			continue
		}
		found = true
		wrong = append(wrong, narrow(webhook, binding, namespaces))
	}
	if !found && i.Config.Enforcement(tier) != rules.EnforceOff {
		wrong = append(wrong, fmt.Errorf("no binding is of a policy of %s, which the webhook judges: apply the component backstop again, or write the policies anew with flux-remedy vap", tier))
	}
	return errors.Join(wrong...)
}

// narrow returns what a webhook is asked about and a binding leaves out.
func narrow(webhook registrationv1.ValidatingWebhook, binding registrationv1.ValidatingAdmissionPolicyBinding, namespaces []corev1.Namespace) error {
	of := binding.Spec.MatchResources
	if of == nil {
		return nil
	}
	if of.ObjectSelector != nil && len(of.ObjectSelector.MatchLabels)+len(of.ObjectSelector.MatchExpressions) > 0 ||
		len(of.ResourceRules)+len(of.ExcludeResourceRules) > 0 {
		return fmt.Errorf("the binding %s leaves objects out by a selector or rules of its own: give it only the namespaceSelector of webhook %s", binding.Name, webhook.Name)
	}
	var missed []string
	for _, namespace := range namespaces {
		asked, err := selected(webhook.NamespaceSelector, namespace)
		if err != nil {
			return nil // check "namespaces" says it
		}
		judged, err := selected(of.NamespaceSelector, namespace)
		if err != nil {
			return fmt.Errorf("the binding %s: its namespaceSelector cannot be read: %w", binding.Name, err)
		}
		if asked && !judged {
			missed = append(missed, namespace.Name)
		}
	}
	if len(missed) == 0 {
		return nil
	}
	return fmt.Errorf("the binding %s leaves out %d namespaces that webhook %s is asked about: %s: give it the namespaceSelector of the webhook, as the component backstop does",
		binding.Name, len(missed), webhook.Name, some(missed))
}
