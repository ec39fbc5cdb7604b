package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

// guard asks the API server of each caller whether its token is genuine and may get the
// path, as controller-runtime's WithAuthenticationAndAuthorization does. That one is not
// used because it needs all of k8s.io/apiserver and what that needs.
type guard struct {
	api  kubernetes.Interface
	next http.Handler
}

// guarded returns a handler behind a guard, with the access to the cluster that a pod has.
func guarded(next http.Handler) (http.Handler, error) {
	config, err := ctrl.GetConfig()
	if err != nil {
		return nil, fmt.Errorf("--metrics-listen needs access to a cluster: %w", err)
	}
	config.Timeout = 5 * time.Second
	api, err := kubernetes.NewForConfig(config)
	return &guard{api: api, next: next}, err
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || token == "" {
		http.Error(w, "no bearer token", http.StatusUnauthorized)
		return
	}
	user, err := g.user(r.Context(), token)
	if err == nil && user == nil {
		http.Error(w, "the token is not valid", http.StatusUnauthorized)
		return
	}
	allowed := false
	if err == nil {
		allowed, err = g.allowed(r.Context(), user, r.URL.Path)
	}
	switch {
	case err != nil:
		http.Error(w, "the API server cannot be asked: "+err.Error(), http.StatusInternalServerError)
	case !allowed:
		http.Error(w, user.Username+" may not get "+r.URL.Path, http.StatusForbidden)
	default:
		g.next.ServeHTTP(w, r)
	}
}

// user returns whose token it is; nil if it is not genuine.
func (g *guard) user(ctx context.Context, token string) (*authenticationv1.UserInfo, error) {
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}
	made, err := g.api.AuthenticationV1().TokenReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil || !made.Status.Authenticated {
		return nil, err
	}
	return &made.Status.User, nil
}

// allowed reports whether a user may get a path.
func (g *guard) allowed(ctx context.Context, user *authenticationv1.UserInfo, path string) (bool, error) {
	extra := map[string]authorizationv1.ExtraValue{}
	for key, value := range user.Extra {
		extra[key] = authorizationv1.ExtraValue(value)
	}
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: user.Username, UID: user.UID, Groups: user.Groups, Extra: extra,
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: path, Verb: "get"},
	}}
	made, err := g.api.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return false, err
	}
	return made.Status.Allowed && !made.Status.Denied, nil
}

// acceptable returns why a request cannot be one of the API server.
func acceptable(r *http.Request) error {
	if r.Method != http.MethodPost {
		return failed(http.StatusMethodNotAllowed, "method %s: want POST", r.Method)
	}
	written := r.Header.Get("Content-Type")
	if written == jsonType {
		return nil
	}
	if media, _, err := mime.ParseMediaType(written); err != nil || media != jsonType {
		return failed(http.StatusUnsupportedMediaType, "content type %q: want application/json", written)
	}
	return nil
}

// allowance returns how long the request may take: --timeout, or a little less
// than the API server waits, which is in the URL.
func (h *handler) allowance(r *http.Request) time.Duration {
	waits, err := time.ParseDuration(r.URL.Query().Get("timeout"))
	if err != nil || waits <= 0 {
		return h.timeout
	}
	return min(h.timeout, waits-waits/10)
}

// receive reads the body of a request before the context's deadline.
func (h *handler) receive(ctx context.Context, w http.ResponseWriter, r *http.Request) (*body, error) {
	if deadline, ok := ctx.Deadline(); ok {
		_ = http.NewResponseController(w).SetReadDeadline(deadline) // a recorder in tests has none
	}
	if r.ContentLength > h.maxBody {
		return nil, h.explain(&http.MaxBytesError{Limit: h.maxBody})
	}
	return h.read(ctx, http.MaxBytesReader(w, r.Body, h.maxBody))
}

// callers returns the part of a TLS configuration that says who may call: anybody, or
// who has a certificate of the given authority with the given name. The name matters
// because the authority of a cluster signs the certificates of many.
func (o *options) callers() (*tls.Config, error) {
	if o.clientCA == "" {
		return &tls.Config{}, nil
	}
	data, err := os.ReadFile(o.clientCA)
	if err != nil {
		return nil, fmt.Errorf("--client-ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("--client-ca %s: holds no certificate in PEM", o.clientCA)
	}
	return &tls.Config{
		ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
		VerifyConnection: func(state tls.ConnectionState) error { return named(state.PeerCertificates[0], o.clientName) },
	}, nil
}

// named returns an error unless a certificate has a name.
func named(cert *x509.Certificate, name string) error {
	if cert.Subject.CommonName == name || slices.Contains(cert.DNSNames, name) {
		return nil
	}
	return fmt.Errorf("the client certificate is for %q, want %q (--client-name)", cert.Subject.CommonName, name)
}
