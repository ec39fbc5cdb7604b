package main

import (
	"context"
	"fmt"
	"net/http"
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
