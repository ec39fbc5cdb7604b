package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission"
	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission/admissiontest"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// vapObjects is how many objects TestPolicies compares of each kind.
var vapObjects = flag.Int("vap", 150, "how many objects of each kind TestPolicies compares, each in three requests; 0: the full product")

var policyKinds = map[string]schema.GroupVersionResource{
	"ValidatingAdmissionPolicy":        {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicies"},
	"ValidatingAdmissionPolicyBinding": {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicybindings"},
}

// applyPolicies applies what "flux-remedy vap" writes under a configuration, until the test
// ends, and waits until the API server judges by it.
func (c *cluster) applyPolicies(t *testing.T, program, config string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), ".flux-remedy.yaml")
	if err := os.WriteFile(file, []byte(header+config), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "vap", "--config", file).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c.applyAll(t, decodeObjects(t, out))
}

func decodeObjects(t *testing.T, text []byte) (objects []*unstructured.Unstructured) {
	t.Helper()
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		if decoder.Decode(&object.Object) != nil {
			return objects
		}
		if object.Object != nil {
			objects = append(objects, object)
		}
	}
}

func (c *cluster) applyAll(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	u := c.user(t)
	t.Cleanup(func() { c.awaitPolicies(t, u, false) }) // after they are deleted
	for _, object := range objects {
		resource := u.Resource(policyKinds[object.GetKind()])
		if _, err := resource.Apply(t.Context(), object.GetName(), object, metav1.ApplyOptions{FieldManager: "test", Force: true}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = resource.Delete(context.Background(), object.GetName(), metav1.DeleteOptions{}) })
	}
	c.awaitPolicies(t, u, true)
}

// awaitPolicies waits until the API server judges by the policies, or no longer.
func (c *cluster) awaitPolicies(t *testing.T, u *user, judges bool) {
	t.Helper()
	namespace := u.namespace("production")
	probe := helmRelease("probe", bad)
	_ = unstructured.SetNestedField(probe.Object, int64(0), "spec", "maxHistory") // only a warning
	eventually(t, fmt.Sprintf("policies judge: %t", judges), func() error {
		_, err := u.releases(namespace).Create(context.Background(), probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		said := fmt.Sprint(err, u.takeWarnings())
		for _, rule := range []string{"[no-recovery]", "[unlimited-history]"} { // of a policy each
			if strings.Contains(said, rule) != judges {
				return errors.New(said)
			}
		}
		return nil
	})
}

// byPolicy reports whether a policy has denied.
func byPolicy(err error) bool {
	return apierrors.IsForbidden(err) && strings.Contains(err.Error(), "ValidatingAdmissionPolicy 'flux-remedy-production'")
}

// TestBackstop installs the overlay backstop while no webhook answers: the policies warn
// of what the webhook would.
func TestBackstop(t *testing.T) {
	c := needCluster(t)
	u := c.user(t)
	var policies []*unstructured.Unstructured
	for _, object := range build(t, "backstop") {
		if _, ok := policyKinds[object.GetKind()]; ok {
			policies = append(policies, &object)
		}
	}
	c.applyAll(t, policies)
	c.register(t, "backstop")
	c.service.to() // nobody
	namespace := u.namespace("production")
	if _, err := u.releases(namespace).Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if warnings := u.takeWarnings(); len(warnings) != 1 || !strings.Contains(warnings[0], "[no-recovery]") {
		t.Errorf("warnings %q", warnings)
	}
	// They name the field that the webhook names.
	written := helmRelease("written", `{upgrade: {strategy: {name: RemediateOnFailure}}}`)
	if _, err := u.releases(namespace).Create(t.Context(), written, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if warnings := u.takeWarnings(); len(warnings) != 1 || !strings.Contains(warnings[0], "spec.upgrade.strategy.name: ") {
		t.Errorf("warnings %q", warnings)
	}
	if _, err := u.releases(u.namespace("")).Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{}); err != nil || len(u.takeWarnings()) > 0 {
		t.Errorf("a namespace without a tier is judged: %v", err)
	}
}

// TestPoliciesNeverBlock sends what must always pass, to policies that deny.
func TestPoliciesNeverBlock(t *testing.T) {
	c := needCluster(t)
	u := c.user(t)
	namespace := u.namespace("")
	releases := u.releases(namespace)
	old := helmRelease("app", bad)
	old.SetFinalizers([]string{"finalizers.fluxcd.io"})
	if _, err := releases.Create(t.Context(), old, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	bare := helmRelease("bare", bad)
	delete(bare.Object, "spec")
	if _, err := releases.Create(t.Context(), bare, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	c.applyPolicies(t, linter(t), `spec:
  waivers:
    reasonPattern: "[A-Z]+-[0-9]+"
    entries: [{rule: no-recovery, name: legacy-*, until: "2099-12-31", reason: old}]
  admission:
    exempt:
    - {groups: ["system:masters"], namespaces: ["*-glass", kube-*], reason: break glass}
    - {serviceAccounts: ["team-*/deployer"], reason: moves}
`)
	u.label(namespace, "production")
	for _, patch := range []string{
		`{"spec":{"suspend":true}}`, `{"spec":{"suspend":false}}`, `{"metadata":{"labels":{"a":"b"}}}`, `{"metadata":{"annotations":{"reconcile.fluxcd.io/requestedAt":"now"}}}`,
		`{"spec":{"interval":"20m"}}`, `{"spec":{"values":{"a":1}}}`, // it was there before
	} {
		if _, err := releases.Patch(t.Context(), "app", mergePatch, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Errorf("%s: %v", patch, err)
		}
	}
	if _, err := releases.Patch(t.Context(), "bare", mergePatch, []byte(`{"metadata":{"labels":{"a":"b"}}}`), metav1.PatchOptions{}); err != nil {
		t.Error("a label where there is no spec:", err)
	}
	if _, err := releases.Patch(t.Context(), "app", mergePatch, []byte(`{"status":{"observedGeneration":3}}`), metav1.PatchOptions{}, "status"); err != nil {
		t.Error("status:", err)
	}
	if err := releases.Delete(t.Context(), "app", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, patch := range []string{`{"spec":{"interval":"30m","upgrade":{"remediation":{"strategy":"uninstall","retries":3}}}}`, `{"metadata":{"finalizers":null}}`} {
		if _, err := releases.Patch(t.Context(), "app", mergePatch, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Errorf("while it is deleted: %s: %v", patch, err)
		}
	}
	waived := func(name, text string) *unstructured.Unstructured {
		object := helmRelease(name, bad)
		object.SetAnnotations(map[string]string{"waive.flux-remedy.io/no-recovery": text})
		return object
	}
	for want, object := range map[bool][]*unstructured.Unstructured{
		false: {waived("app", "2099-12-31 replaced in PLAT-12"), helmRelease("legacy-app", bad)},
		true:  {waived("app", "2099-12-31 replaced some day"), waived("app", "soon PLAT-12"), helmRelease("app", bad)},
	} {
		for _, object := range object {
			_, err := releases.Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			if byPolicy(err) != want {
				t.Errorf("%s with %v: denied %t, %v", object.GetName(), object.GetAnnotations(), byPolicy(err), err)
			}
		}
	}
	glass := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace"}}
	glass.SetName("broken-glass")
	glass.SetLabels(map[string]string{"flux-remedy.io/tier": "production"})
	if _, err := u.Resource(namespaces).Create(t.Context(), glass, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := u.releases("broken-glass").Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{}); err != nil {
		t.Error("exempt:", err)
	}
	for account, want := range map[string]bool{"team-a:deployer": false, "team-a:other": true, "my-team-a:deployer": true} {
		u := c.impersonate(t, "system:serviceaccount:"+account)
		_, err := u.releases(namespace).Create(t.Context(), helmRelease("by-account", bad), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if byPolicy(err) != want || err != nil && !want {
			t.Errorf("%s: denied %t, %v", account, byPolicy(err), err)
		}
	}
	// Without its waiver a fault is not accepted any more.
	made, err := releases.Create(t.Context(), waived("kept", "2099-12-31 PLAT-12"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	made.SetAnnotations(nil)
	if _, err := releases.Update(t.Context(), made, metav1.UpdateOptions{}); !byPolicy(err) {
		t.Errorf("a waiver is taken away: %v", err)
	}
}

// coreProduct returns every object that the core knobs make, each once.
func coreProduct() (all []map[string]any) {
	seen := map[string]bool{}
	var turn func(i int, chosen []any)
	turn = func(i int, chosen []any) {
		if i < len(admissiontest.CoreKnobs) {
			for _, value := range admissiontest.CoreKnobs[i].Values {
				turn(i+1, append(slices.Clip(chosen), value))
			}
			return
		}
		object := map[string]any{}
		for i, value := range chosen {
			admissiontest.Write(object, admissiontest.CoreKnobs[i].Path, value)
		}
		if admissiontest.Settled(object); !seen[fmt.Sprint(object)] {
			seen[fmt.Sprint(object)] = true
			all = append(all, object)
		}
	}
	turn(0, nil)
	return all
}

// comparison sends requests to the API server, which judges them by the policies, and has
// the webhook decide on the same ones.
type comparison struct {
	*user
	rules     *ruleset
	namespace string

	mu             sync.Mutex
	same, foreseen int
	denied         int
}

// TestPolicies compares the policies with the webhook: on the settings of the law they
// decide alike on every creation and update. On other settings the only difference may
// be that the policies ask the forecast without them.
func TestPolicies(t *testing.T) {
	c, p := needCluster(t), newRules(t)
	u := c.user(t)
	namespace := u.namespace("")
	random := rand.New(rand.NewPCG(5, 6))
	core := coreProduct()
	random.Shuffle(len(core), func(i, j int) { core[i], core[j] = core[j], core[i] })
	made, olds := len(core), 60
	if *vapObjects > 0 {
		made, olds = min(made, *vapObjects), 20
	}
	var others []map[string]any
	for range cmp.Or(*vapObjects, 1000) {
		object := map[string]any{}
		for _, k := range admissiontest.MoreKnobs {
			k.Turn(object, random)
		}
		others = append(others, admissiontest.Settled(object))
	}
	stored := map[string][]*unstructured.Unstructured{
		"core": u.store(namespace, "core", core[:olds]), "others": u.store(namespace, "others", others[:olds]),
	}
	c.applyPolicies(t, linter(t), "")
	u.label(namespace, "production")
	for name, objects := range map[string][]map[string]any{"core": core[:made], "others": others} {
		t.Run(name, func(t *testing.T) {
			all := &comparison{user: u, rules: p, namespace: namespace}
			var next []func() error
			for i, object := range objects {
				old := stored[name][i%olds]
				mixed := runtime.DeepCopyJSON(map[string]any{"spec": old.Object["spec"]})
				for range 1 + random.IntN(3) {
					set := map[string][]admissiontest.Knob{"core": admissiontest.CoreKnobs, "others": admissiontest.MoreKnobs}[name]
					set[random.IntN(len(set))].Turn(mixed, random)
				}
				next = append(next,
					func() error { return all.create(t, object) },
					func() error { return all.update(t, old, object) },
					func() error { return all.update(t, old, admissiontest.Settled(mixed)) })
			}
			all.run(t, next)
			t.Logf("%s: %d alike, %d of them denied; %d differ by the forecast of other settings", name, all.same, all.denied, all.foreseen)
			if name == "core" && all.foreseen > 0 || all.denied == 0 || all.same < 5*all.foreseen {
				t.Error("that is not what the page says")
			}
		})
	}
}

// TestPolicyWarnings compares which rules the policies and the webhook warn of, for each
// rule that says its faults in CEL.
func TestPolicyWarnings(t *testing.T) {
	c, p := needCluster(t), newRules(t)
	u := c.user(t)
	const config = "spec: {admission: {enforcement: {production: warn}}}"
	c.applyPolicies(t, linter(t), config)
	var err error
	if p.Config, err = rules.ParseConfig([]byte(header + config)); err != nil {
		t.Fatal(err)
	}
	namespace := u.namespace("production")
	random, seen := rand.New(rand.NewPCG(9, 10)), map[string]int{}
	for range cmp.Or(*vapObjects, 1000) {
		settings := map[string]any{}
		for _, k := range admissiontest.MoreKnobs {
			k.Turn(settings, random)
		}
		object := whole("new", admissiontest.Settled(settings))
		if _, err := u.releases(namespace).Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, warning := range u.takeWarnings() {
			if m := regexp.MustCompile(`\[([a-z-]+)\]`).FindStringSubmatch(warning); m != nil {
				said = append(said, m[1])
			}
		}
		r := request(object, nil).Request
		r.Namespace = namespace
		d, err := p.Decide(t.Context(), reviewOf(t, r), release.Production, day)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(strings.Split(d.Audit()["warned"], ","), func(id string) bool { rule, _ := p.Engine.Rule(id); return len(rule.CEL) == 0 })
		slices.Sort(said)
		if said = slices.Compact(said); !slices.Equal(said, want) {
			t.Errorf("the policies warn of %v, the webhook of %v: %v", said, want, settings)
		}
		for _, id := range want {
			seen[id]++
		}
	}
	for _, rule := range p.Engine.Rules() {
		if len(rule.CEL) > 0 && seen[rule.ID] == 0 {
			t.Errorf("%s was never tried", rule.ID)
		}
	}
}

// newRules returns the built-in rules under no configuration, which are compiled once for all tests.
func newRules(t testing.TB) *ruleset {
	t.Helper()
	p, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	own := *p.Judge // a test may set another configuration
	return &ruleset{Judge: &own, until: p.until, digests: p.digests}
}

var builtIn = sync.OnceValues(func() (*ruleset, error) { return sources{}.load(context.Background()) })

// store creates objects while nothing judges them.
func (u *user) store(namespace, prefix string, objects []map[string]any) (stored []*unstructured.Unstructured) {
	u.t.Helper()
	for i, object := range objects {
		made, err := u.releases(namespace).Create(u.t.Context(), whole(fmt.Sprintf("%s-%d", prefix, i), object), metav1.CreateOptions{})
		if err != nil {
			u.t.Fatal(err)
		}
		stored = append(stored, made)
	}
	return stored
}

// run calls functions, four at a time.
func (c *comparison) run(t *testing.T, all []func() error) {
	t.Helper()
	next := make(chan func() error)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for one := range next {
				if err := one(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, one := range all {
		next <- one
	}
	close(next)
	workers.Wait()
}

func (c *comparison) create(t *testing.T, settings map[string]any) error {
	object := whole("new", settings)
	_, err := c.releases(c.namespace).Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return c.compare(t, nil, object, err)
}

func (c *comparison) update(t *testing.T, old *unstructured.Unstructured, settings map[string]any) error {
	object := whole(old.GetName(), settings)
	object.SetResourceVersion(old.GetResourceVersion())
	_, err := c.releases(c.namespace).Update(t.Context(), object, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
	return c.compare(t, old, object, err)
}

// compare returns an error unless the webhook decides as the API server did, or would if
// the forecast of other settings than those of the law did not count.
func (c *comparison) compare(t *testing.T, old, object *unstructured.Unstructured, err error) error {
	if err != nil && !byPolicy(err) {
		return err
	}
	r := reviewOf(t, c.request(old, object))
	d, failure := c.rules.Decide(t.Context(), r, release.Production, day)
	if failure != nil {
		return failure
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case byPolicy(err) == (d.Outcome == admission.Denied):
		if c.same++; byPolicy(err) {
			c.denied++
		}
		return nil
	case old != nil && c.foretold(t, r):
		c.foreseen++
		return nil
	}
	return fmt.Errorf("the policies: %w; the webhook: %s for %s\n  from %v\n  to   %v", err, d.Outcome, d.Audit()["denied"], specOf(old), specOf(object))
}

func specOf(object *unstructured.Unstructured) any {
	if object == nil {
		return nil
	}
	return object.Object["spec"]
}

func (c *comparison) request(old, object *unstructured.Unstructured) *admissionv1.AdmissionRequest {
	r := request(object, old).Request
	r.Namespace = c.namespace
	return r
}

// foretold reports whether the forecast of both objects as they are says something else
// than that of their settings of the law alone.
func (c *comparison) foretold(t *testing.T, r *admission.Review) bool {
	var bare, real [2]*release.Release
	decode := func(object map[string]any) *release.Release {
		out, err := release.DecodeAdmitted(object, c.rules.Config.ControllerAt(c.rules.Place(c.namespace), release.Controller{}))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for i, object := range []map[string]any{r.Old, r.Object} {
		real[i] = decode(object)
		law := map[string]any{}
		for _, k := range admissiontest.CoreKnobs {
			if value := k.Path.In(object); value != nil {
				admissiontest.Write(law, k.Path, value)
			}
		}
		bare[i] = decode(runtime.DeepCopyJSON(whole("app", law).Object))
	}
	return endsWorse(bare[0], bare[1]) != endsWorse(real[0], real[1])
}

func endsWorse(before, after *release.Release) bool {
	return slices.ContainsFunc(forecast.Scenarios(), func(s forecast.Scenario) bool {
		return s.Failing() && forecast.EndingOf(*after.Settings, after.Controller, s).Worse(forecast.EndingOf(*before.Settings, before.Controller, s))
	})
}

// reviewOf returns a request as the webhook reads it.
func reviewOf(t *testing.T, request *admissionv1.AdmissionRequest) *admission.Review {
	t.Helper()
	text, err := json.Marshal(&admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Request: request,
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := admission.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
