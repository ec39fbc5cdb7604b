package doctor

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// registration asks each webhook of the registration as the API server would: at its
// Service, and trusting its CA.
func (i Installation) registration(ctx context.Context, api kubernetes.Interface) (string, error) {
	registration, err := api.AdmissionregistrationV1().ValidatingWebhookConfigurations().Get(ctx, i.Registration, metav1.GetOptions{})
	if err != nil {
		return "", explain("ValidatingWebhookConfiguration "+i.Registration, err)
	}
	if len(registration.Webhooks) == 0 {
		return "", fmt.Errorf("ValidatingWebhookConfiguration %s: names no webhook, so that nothing is judged: apply the manifests again", i.Registration)
	}
	var wrong []error
	for _, webhook := range registration.Webhooks {
		if err := i.ask(ctx, api, webhook); err != nil {
			wrong = append(wrong, fmt.Errorf("webhook %s of %s: %w", webhook.Name, i.Registration, err))
		}
	}
	return fmt.Sprintf("%d webhooks answer, and their CA is trusted", len(registration.Webhooks)), errors.Join(wrong...)
}

// ask sends a review that is never judged: that of a deletion.
func (i Installation) ask(ctx context.Context, api kubernetes.Interface, webhook registrationv1.ValidatingWebhook) error {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(webhook.ClientConfig.CABundle) {
		return errors.New("its caBundle holds no certificate, so that the API server trusts none: " +
			"is the CA injected (cert-manager's cainjector, or --rotate-certs)?")
	}
	target, name, err := i.target(ctx, api, webhook.ClientConfig)
	if err != nil {
		return err
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: name}, DisableKeepAlives: true}
	if i.Address != "" {
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, i.Address)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(deletion()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := (&http.Client{Transport: transport, Timeout: patient}).Do(request)
	if err != nil {
		return unreachable(err)
	}
	defer response.Body.Close()
	return i.judged(response, target.Path)
}

// target returns the address that the API server calls and the name that the certificate
// must have.
func (i Installation) target(ctx context.Context, api kubernetes.Interface, client registrationv1.WebhookClientConfig) (*url.URL, string, error) {
	if client.URL != nil {
		target, err := url.Parse(*client.URL)
		if err != nil {
			return nil, "", fmt.Errorf("its URL is none: %w", err)
		}
		return target, target.Hostname(), nil
	}
	ref := client.Service
	if _, err := api.CoreV1().Services(ref.Namespace).Get(ctx, ref.Name, metav1.GetOptions{}); err != nil {
		return nil, "", explain("its Service "+ref.Namespace+"/"+ref.Name, err)
	}
	target := &url.URL{Scheme: "https", Host: ref.Name + "." + ref.Namespace + ".svc"}
	name := target.Host
	if ref.Port != nil && *ref.Port != 443 {
		target.Host += ":" + strconv.Itoa(int(*ref.Port))
	}
	if ref.Path != nil {
		target.Path = *ref.Path
	}
	return target, name, nil
}

// unreachable says what to do about an address that gives no answer.
func unreachable(err error) error {
	var untrusted *tls.CertificateVerificationError
	var remote *net.OpError
	switch {
	case errors.As(err, &untrusted):
		return fmt.Errorf("the API server does not trust its certificate (%w): the caBundle must be of the authority that has signed it, and its name that of the Service", err)
	case errors.As(err, &remote) && remote.Op == "remote error": // an alert of TLS
		return fmt.Errorf("it refuses callers without a client certificate (%w), so that it cannot be asked from here", err)
	}
	return fmt.Errorf("it does not answer (%w): look at its pods, at the Service and at NetworkPolicies; from outside of the cluster give --address", err)
}

// judged returns why an answer is not that of the webhook.
func (i Installation) judged(response *http.Response, path string) error {
	review := admissionv1.AdmissionReview{}
	err := json.NewDecoder(response.Body).Decode(&review)
	if response.StatusCode != http.StatusOK || err != nil || review.Response == nil || !review.Response.Allowed {
		return fmt.Errorf("what answers is not the webhook (HTTP %d): does the path of the registration exist?", response.StatusCode)
	}
	until := response.TLS.PeerCertificates[0].NotAfter
	if until.Sub(i.Now()) < i.Renewed {
		return fmt.Errorf("its certificate ends on %s: what renews it does not: see docs/webhook-operations.md#remedywebhookcertificateexpires", until.UTC().Format(time.DateOnly))
	}
	return i.configured(review.Response.AuditAnnotations, path)
}

// configured returns why what judges is not what the configuration says, by what an answer
// tells about it.
func (i Installation) configured(tells map[string]string, path string) error {
	if digest := tells["digest"]; digest != i.Digest.String() {
		return fmt.Errorf("it judges by policy digest %s, and the configuration given here has %s: give the same --config and --bundle, "+
			"or see docs/webhook-operations.md#remedywebhookreloadfailed", rules.Digest(digest).Short(), i.Digest.Short())
	}
	tier := release.Tier(strings.TrimPrefix(path, "/validate/"))
	if want := i.Config.Enforcement(tier); slices.Contains(release.Tiers, tier) && tells["enforcement"] != string(want) {
		return fmt.Errorf("its enforcement in %s is %s, and the configuration given here says %s: is its ConfigMap another one?", tier, tells["enforcement"], want)
	}
	return nil
}

// deletion is the review of a deletion, which is admitted without a look.
func deletion() []byte {
	review := admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			UID: "remedy-webhook-check", Operation: admissionv1.Delete, Name: "remedy-webhook-check", Namespace: "default",
		},
	}
	data, _ := json.Marshal(review) // has nothing that cannot be written
	return data
}
