package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// apply applies an object on the server, for good or as a dry run.
func (u *user) apply(c *cluster, object *unstructured.Unstructured, options metav1.ApplyOptions) (*unstructured.Unstructured, error) {
	mapper, err := apiutil.NewDynamicRESTMapper(c.env.Config, c.http)
	if err != nil {
		return nil, err
	}
	kind := object.GroupVersionKind()
	mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	options.FieldManager, options.Force = "kustomize-controller", true
	return u.Resource(mapping.Resource).Namespace(object.GetNamespace()).Apply(u.t.Context(), object.GetName(), object, options)
}

// ownNamespace creates the namespace of the manifests, with its pod security.
func (u *user) ownNamespace(c *cluster) {
	u.t.Helper()
	for _, object := range build(u.t, "self-signed") {
		if object.GetKind() != "Namespace" {
			continue
		}
		if _, err := u.apply(c, &object, metav1.ApplyOptions{}); err != nil {
			u.t.Fatal(err)
		}
	}
}

// TestOverlays applies every object of every overlay as a dry run. The API
// server refuses unknown fields, and warns of pods that the namespace's pod
// security would reject.
func TestOverlays(t *testing.T) {
	c := needCluster(t)
	overlays, err := filepath.Glob("../../manifests/overlays/*")
	if err != nil || len(overlays) == 0 {
		t.Fatalf("no overlays: %v", err)
	}
	c.user(t).ownNamespace(c)
	for _, overlay := range overlays {
		t.Run(filepath.Base(overlay), func(t *testing.T) {
			u := c.user(t)
			for _, object := range build(t, filepath.Base(overlay)) {
				if _, err := u.apply(c, &object, metav1.ApplyOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
					t.Errorf("%s %s: %v", object.GetKind(), object.GetName(), err)
				}
			}
			if got := u.takeWarnings(); len(got) > 0 {
				t.Errorf("the API server warns: %q", got)
			}
		})
	}
}

// TestNoRights checks that the webhook has no rights in the cluster and no token,
// unless it creates its own certificate.
func TestNoRights(t *testing.T) {
	for _, object := range build(t, "cert-manager") {
		switch object.GetKind() {
		case "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding":
			t.Errorf("%s %s", object.GetKind(), object.GetName())
		case "Deployment":
			if mounted, _, _ := unstructured.NestedBool(object.Object, "spec", "template", "spec", "automountServiceAccountToken"); mounted {
				t.Error("the pod has a token")
			}
		case "ServiceAccount":
			if mounted, ok := object.Object["automountServiceAccountToken"].(bool); !ok || mounted {
				t.Error("the ServiceAccount mounts a token")
			}
		}
	}
}

// TestBaseConfig checks that the configuration of the base is valid and refuses nothing
// yet.
func TestBaseConfig(t *testing.T) {
	s := sources{config: "../../manifests/base/config.yaml"}
	p, err := s.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tier := range release.Tiers {
		if got := p.Config.Enforcement(tier); got == rules.EnforceDeny {
			t.Errorf("%s: %s", tier, got)
		}
	}
}

// TestComponentsCompose builds the combination of components on the webhook's page.
func TestComponentsCompose(t *testing.T) {
	_, text, _ := strings.Cut(string(read(t, "../../docs/webhook.md")), "Components can be combined, in any order, but that `secure-metrics` stands after `monitoring`:\n\n```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	disk := filesys.MakeFsOnDisk()
	dir, err := os.MkdirTemp("../../manifests", "test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(disk, dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := objects.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"cert-manager.io/inject-ca-from", "kind: PrometheusRule", "kind: ResourceQuota", "image: registry.example.com/remedy-webhook:v0.1.0",
		"topologyKey: topology.kubernetes.io/zone",
	} {
		if !strings.Contains(string(all), want) {
			t.Errorf("nothing says %q", want)
		}
	}
}

// TestFluxExample checks that the example for Flux has only fields of its API and
// names components that exist.
func TestFluxExample(t *testing.T) {
	data, err := os.ReadFile("../../manifests/flux/flux-remedy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for document := range strings.SplitSeq(string(data), "\n---\n") {
		var ks kustomizev1.Kustomization
		if !strings.Contains(document, "kind: Kustomization") {
			continue
		}
		if err := yaml.UnmarshalStrict([]byte(document), &ks); err != nil {
			t.Fatal(err)
		}
		for _, component := range ks.Spec.Components {
			found = true
			if _, err := os.Stat(filepath.Join("../..", ks.Spec.Path, component, "kustomization.yaml")); err != nil {
				t.Error(err)
			}
		}
	}
	if !found {
		t.Error("the example names no component")
	}
}

// TestRotation runs the self-signed overlay as it is deployed: with the rights
// of its ServiceAccount, and with no certificate at first. The test copies the
// Secret into the pod's folder, as the kubelet does.
func TestRotation(t *testing.T) {
	rotates(t, build(t, "self-signed"), "flux-remedy", "")
}

// TestRotationPlaced does the same in another namespace, with other names.
func TestRotationPlaced(t *testing.T) {
	rotates(t, around(t, fmt.Sprintf(elsewhere, "self-signed")), "platform", "team-")
}

func rotates(t *testing.T, objects []unstructured.Unstructured, namespace, prefix string) {
	t.Helper()
	c := needCluster(t)
	u := c.user(t)
	for _, object := range objects {
		switch object.GetKind() {
		case "Namespace", "Secret", "Service", "ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "ValidatingWebhookConfiguration":
			if _, err := u.apply(c, &object, metav1.ApplyOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	registration := registrationOf(objects).GetName()
	t.Cleanup(func() {
		_ = u.Resource(registrations).Delete(context.Background(), registration, metav1.DeleteOptions{})
		c.unregister(t)
	})
	dir := t.TempDir()
	t.Setenv("KUBECONFIG", c.kubeconfig(t, namespace, prefix+"remedy-webhook"))
	flags := []string{"--cert-dir", dir, "--namespace", namespace}
	i := launch(t, dir, append(flags, rotating(t, objects)...)...)
	if i.ready() == nil {
		t.Error("ready without a certificate")
	}

	secrets := u.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace(namespace)
	eventually(t, "the Secret holds a certificate", func() error {
		secret, err := secrets.Get(t.Context(), prefix+"remedy-webhook-tls", metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, name := range []string{"tls.crt", "tls.key"} {
			text, _, _ := unstructured.NestedString(secret.Object, "data", name)
			data, err := base64.StdEncoding.DecodeString(text)
			if err != nil || len(data) == 0 {
				return errors.New("no " + name)
			}
			replace(t, filepath.Join(dir, name), data)
		}
		return nil
	})
	i.awaitReady()
	eventually(t, "the registration has the CA", func() error { return trusted(t, u, registration, i.admission) })
	i.terminate()
	i.awaitEnd()
}

// rotating returns the arguments of the Deployment from --rotate-certs on.
func rotating(t *testing.T, objects []unstructured.Unstructured) []string {
	t.Helper()
	for _, object := range objects {
		if object.GetKind() != "Deployment" {
			continue
		}
		containers, _, _ := unstructured.NestedSlice(object.Object, "spec", "template", "spec", "containers")
		args, _, _ := unstructured.NestedStringSlice(containers[0].(map[string]any), "args")
		if at := slices.Index(args, "--rotate-certs"); at >= 0 {
			return args[at:]
		}
	}
	t.Fatal("no Deployment rotates certificates")
	return nil
}

// trusted returns why the API server would not trust what serves at an address for the
// Service that each webhook of a registration names.
func trusted(t *testing.T, u *user, registration, address string) error {
	t.Helper()
	var of registrationv1.ValidatingWebhookConfiguration
	object, err := u.Resource(registrations).Get(t.Context(), registration, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &of); err != nil {
		return err
	}
	for _, webhook := range of.Webhooks {
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(webhook.ClientConfig.CABundle)
		service := webhook.ClientConfig.Service
		connection, err := tls.Dial("tcp", address, &tls.Config{RootCAs: pool, ServerName: service.Name + "." + service.Namespace + ".svc"})
		if err != nil {
			return fmt.Errorf("%s: %w", webhook.Name, err)
		}
		_ = connection.Close()
	}
	return nil
}

// kubeconfig writes a kubeconfig for a ServiceAccount.
func (c *cluster) kubeconfig(t *testing.T, namespace, account string) string {
	t.Helper()
	clients, err := kubernetes.NewForConfig(c.env.Config)
	if err != nil {
		t.Fatal(err)
	}
	token, err := clients.CoreV1().ServiceAccounts(namespace).
		CreateToken(t.Context(), account, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config := rest.AnonymousClientConfig(c.env.Config)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	err = clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"c": {Server: config.Host, CertificateAuthorityData: config.CAData}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"u": {Token: token.Status.Token}},
		Contexts:       map[string]*clientcmdapi.Context{"x": {Cluster: "c", AuthInfo: "u"}},
		CurrentContext: "x",
	}, file)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
