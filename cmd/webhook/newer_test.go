package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission/admissiontest"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// enforceAll has one mode in all tiers, and rules that report alike in them.
func enforceAll(t *testing.T, mode rules.Enforcement) string {
	t.Helper()
	text := fmt.Sprintf("spec:\n  admission: {enforcement: {production: %[1]s, staging: %[1]s, development: %[1]s}}\n  rules:\n", mode)
	for _, rule := range newRules(t).Engine.Rules() {
		text += fmt.Sprintf("    %s: {severity: %q}\n", rule.ID, rule.Severity[release.Production])
	}
	return text
}

// crdOf reads the CRD of HelmRelease of a version of helm-controller's API.
func crdOf(t *testing.T, version string) map[string]any {
	t.Helper()
	var crd map[string]any
	if err := yaml.Unmarshal(read(t, filepath.Join("../../testdata/crds", "helmreleases-"+version+".yaml")), &crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

// inventions are the fields and values of a version of the API that nobody has made, by the
// paths below spec, each with a value to write.
var inventions = map[string]any{
	"install.strategy.jitter": "30s", "upgrade.strategy.maxRetries": 5.0, "install.backoff": map[string]any{"limit": "1h"}, "upgrade.remediation.delay": "5m",
	"rollback.limit": 3.0, "uninstall.grace": "10s", "test.parallel": true, "onFailure": map[string]any{"notify": []any{"a"}}, "chart.spec.mirror": "x",
	"install.crds": "Adopt", "upgrade.crds": "Adopt", "uninstall.deletionPropagation": "cascade", "waitStrategy.name": "watcher", "driftDetection.mode": "correct",
	"upgrade.serverSideApply": "always", "maxHistory": "5%", "timeout": 300.0, "dependsOn": map[string]any{"all": true},
}

// futureWords are values for strategies that nobody has made.
var futureWords = map[string]any{"install.strategy.name": "CanaryOnFailure", "upgrade.strategy.name": "CanaryOnFailure", "upgrade.remediation.strategy": "pause"}

// invented is the newest CRD with all inventions, which also serves v3.
func invented(t *testing.T) map[string]any {
	t.Helper()
	crd := crdOf(t, "1.7.1")
	versions, _, _ := unstructured.NestedSlice(crd, "spec", "versions")
	v2 := versions[slices.IndexFunc(versions, func(v any) bool { return v.(map[string]any)["name"] == "v2" })].(map[string]any)
	for _, all := range []map[string]any{inventions, futureWords, {"upgrade.remediation.retries": "50%"}} {
		for name, value := range all {
			path := []string{"schema", "openAPIV3Schema", "properties", "spec"}
			for step := range strings.SplitSeq(name, ".") {
				path = append(path, "properties", step)
			}
			schema := map[string]any{"x-kubernetes-preserve-unknown-fields": true}
			if _, word := value.(string); word {
				schema = map[string]any{"x-kubernetes-int-or-string": true}
			}
			if was, found, _ := unstructured.NestedMap(v2, path...); found && was["type"] == "string" && !strings.Contains(name, "timeout") {
				schema = map[string]any{"type": "string"}
			}
			if err := unstructured.SetNestedMap(v2, schema, path...); err != nil {
				t.Fatal(name, err)
			}
		}
	}
	v3 := runtime.DeepCopyJSON(v2)
	v3["name"], v3["storage"] = "v3", false
	_ = unstructured.SetNestedSlice(crd, []any{v2, v3}, "spec", "versions")
	return crd
}

// mark is a field that the CRDs of this test have.
const mark = "markedBy"

// serve replaces the CRD of HelmRelease until the test ends, and waits until it is in force.
func (c *cluster) serve(t *testing.T, crd map[string]any) {
	t.Helper()
	u, name := c.user(t), helmReleases.GroupResource().String()
	put := func(versions []any) {
		eventually(t, "the CRD is written", func() error {
			current, err := u.Resource(definitions).Get(context.Background(), name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			_ = unstructured.SetNestedSlice(current.Object, versions, "spec", "versions")
			_, err = u.Resource(definitions).Update(context.Background(), current, metav1.UpdateOptions{})
			return err
		})
	}
	await := func(namespace, value string, accepted bool) {
		object := helmRelease("probe", retried)
		_ = unstructured.SetNestedField(object.Object, value, "spec", mark)
		eventually(t, "the CRD is in force", func() error {
			_, err := u.releases(namespace).Create(context.Background(), object, metav1.CreateOptions{DryRun: dryRun, FieldValidation: "Strict"})
			if (err == nil) != accepted {
				return fmt.Errorf("%s: %w", value, err)
			}
			return nil
		})
	}
	current, err := u.Resource(definitions).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := unstructured.NestedSlice(current.Object, "spec", "versions")
	versions, _, _ := unstructured.NestedSlice(crd, "spec", "versions")
	for _, version := range versions {
		own := map[string]any{"type": "string", "enum": []any{t.Name()}}
		_ = unstructured.SetNestedMap(version.(map[string]any), own, "schema", "openAPIV3Schema", "properties", "spec", "properties", mark)
	}
	put(versions)
	namespace := u.namespace("")
	await(namespace, t.Name(), true)
	t.Cleanup(func() { put(before); await(namespace, t.Name(), false) })
}

var dryRun = []string{metav1.DryRunAll}

// byWebhookAndTwin makes the webhook judge namespaces with the label by=webhook only, and the
// policies of "flux-remedy vap" those with by=policies.
func (c *cluster) byWebhookAndTwin(t *testing.T, config string) {
	t.Helper()
	only := func(object map[string]any, label string, path ...string) {
		selected, _, _ := unstructured.NestedSlice(object, append(path, "matchExpressions")...)
		selected = append(selected, map[string]any{"key": "by", "operator": "In", "values": []any{label}})
		_ = unstructured.SetNestedSlice(object, selected, append(path, "matchExpressions")...)
	}
	file := filepath.Join(t.TempDir(), ".flux-remedy.yaml")
	if err := os.WriteFile(file, []byte(header+config), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(linter(t), "vap", "--config", file).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	u := c.user(t)
	install := func(resource schema.GroupVersionResource, object *unstructured.Unstructured) {
		if _, err := u.Resource(resource).Apply(t.Context(), object.GetName(), object, metav1.ApplyOptions{FieldManager: "test", Force: true}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = u.Resource(resource).Delete(context.Background(), object.GetName(), metav1.DeleteOptions{})
		})
	}
	for _, object := range decodeObjects(t, out) {
		if object.GetKind() == "ValidatingAdmissionPolicyBinding" {
			only(object.Object, "policies", "spec", "matchResources", "namespaceSelector")
		}
		install(policyKinds[object.GetKind()], object)
	}
	c.service.to(c.ca.start(t, "--config", file).admission)
	for _, object := range build(t, "fail-closed") {
		if object.GetKind() != "ValidatingWebhookConfiguration" {
			continue
		}
		c.point(&object, "")
		webhooks, _, _ := unstructured.NestedSlice(object.Object, "webhooks")
		development := runtime.DeepCopyJSON(webhooks[1].(map[string]any))
		development["name"] = "development.flux-remedy.io"
		_ = unstructured.SetNestedField(development, strings.ReplaceAll(development["clientConfig"].(map[string]any)["url"].(string), "staging", "development"), "clientConfig", "url")
		_ = unstructured.SetNestedStringSlice(development["namespaceSelector"].(map[string]any)["matchExpressions"].([]any)[0].(map[string]any), []string{"development"}, "values")
		webhooks = append(webhooks, development)
		for _, webhook := range webhooks {
			only(webhook.(map[string]any), "webhook", "namespaceSelector")
		}
		_ = unstructured.SetNestedSlice(object.Object, webhooks, "webhooks")
		install(registrations, &object)
	}
	t.Cleanup(func() { c.service.to(); c.service.cut() })
}

// place creates a namespace of a tier that is judged by the webhook or by policies.
func (u *user) place(tier, by string) string {
	u.t.Helper()
	name := u.namespace(tier)
	patch := fmt.Appendf(nil, `{"metadata":{"labels":{"by":%q}}}`, by)
	if _, err := u.Resource(namespaces).Patch(u.t.Context(), name, mergePatch, patch, metav1.PatchOptions{}); err != nil {
		u.t.Fatal(err)
	}
	return name
}

// settings that are of an accepted class or violate the law, whatever else is written.
var (
	acceptedSettings = []string{
		retried,
		`{install: {strategy: {name: RetryOnFailure, retryInterval: 2m}}, upgrade: {strategy: {name: RetryOnFailure, retryInterval: 10m}}}`,
		`{install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 3}}}`,
		`{install: {strategy: {name: RemediateOnFailure}, remediation: {retries: 2}}, upgrade: {strategy: {name: RemediateOnFailure}, remediation: {retries: 2, strategy: rollback, remediateLastFailure: true}}}`,
	}
	violatingSettings = []string{
		bad, half, `{upgrade: {strategy: {name: RetryOnFailure}}}`,
		`{install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: -1}}}`,
		`{install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 3, strategy: uninstall}}}`,
		`{install: {strategy: {name: RetryOnFailure, retryInterval: 0s}}, upgrade: {strategy: {name: RetryOnFailure}}}`,
	}
)

// future are settings with strategies that nobody has made: rules deny what is wrong with a
// half that is known.
var future = map[string]bool{ // whether it is denied
	`{install: {strategy: {name: CanaryOnFailure}}, upgrade: {strategy: {name: CanaryOnFailure}}}`:                   false,
	`{install: {strategy: {name: CanaryOnFailure}}, upgrade: {strategy: {name: RetryOnFailure}}}`:                    false,
	`{install: {strategy: {name: RetryOnFailure}}, upgrade: {strategy: {name: CanaryOnFailure}}}`:                    false,
	`{install: {remediation: {retries: 3}}, upgrade: {strategy: {name: CanaryOnFailure}}}`:                           false,
	`{install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 3, strategy: pause}}}`:                  false,
	`{install: {strategy: {name: RetryOnFailure}}, upgrade: {remediation: {retries: 3, strategy: pause}}}`:           false,
	`{install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: "50%"}}}`:                               false,
	`{upgrade: {strategy: {name: CanaryOnFailure}}}`:                                                                 true,
	`{install: {strategy: {name: CanaryOnFailure}}}`:                                                                 true,
	`{install: {strategy: {name: CanaryOnFailure}}, upgrade: {remediation: {retries: 3, strategy: uninstall}}}`:      true,
	`{install: {strategy: {name: CanaryOnFailure}}, upgrade: {remediation: {retries: -1}}}`:                          true,
	`{install: {remediation: {retries: -1}}, upgrade: {strategy: {name: CanaryOnFailure}}}`:                          true,
	`{install: {remediation: {retries: 3}}, upgrade: {remediation: {strategy: pause}}}`:                              true,
	`{install: {strategy: {name: RetryOnFailure, retryInterval: 0s}}, upgrade: {strategy: {name: CanaryOnFailure}}}`: true,
}

// ociChart is the chart of a release of helm-controller 1.7.
const ociChart = `{kind: OCIRepository, spec: {url: "oci://ghcr.io/stefanprodan/charts/podinfo", ref: {semver: "*"},
  layerSelector: {mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip", operation: copy}}}`

// written are the same settings with what versions of the API have more: nothing, each alone
// and all. An API server drops what it does not have, and refuses values.
func writtenMore(settings string) (all []*unstructured.Unstructured) {
	add := func(name string, more map[string]any) {
		object := helmRelease(name, settings)
		for field, value := range more {
			path := release.Path{"spec"}
			for step := range strings.SplitSeq(field, ".") {
				path = append(path, step)
			}
			admissiontest.Write(object.Object, path, runtime.DeepCopyJSONValue(value))
		}
		all = append(all, object)
	}
	add("plain", nil)
	add("all", inventions)
	var chart map[string]any
	_ = yaml.Unmarshal([]byte(ociChart), &chart)
	add("oci", map[string]any{"chart": chart, "chartRef": nil})
	for _, field := range slices.Sorted(maps.Keys(inventions)) {
		add("one", map[string]any{field: inventions[field]})
	}
	return all
}

// TestNewerAPI: of whatever API the API server has, every release that it accepts is admitted
// by the webhook and by its twin, in every tier and mode, if what is known of its settings is of
// an accepted class. If that violates the law, it is denied, warned of or noted in the audit log.
// What an older API leaves of a release is judged as what the invented one accepts: once is enough.
func TestNewerAPI(t *testing.T) {
	c := needCluster(t)
	for _, mode := range []rules.Enforcement{rules.EnforceDeny, rules.EnforceWarn, rules.EnforceAudit} {
		t.Run(string(mode), func(t *testing.T) {
			c.byWebhookAndTwin(t, enforceAll(t, mode))
			crds := map[string]map[string]any{"invented": invented(t)}
			if mode == rules.EnforceDeny {
				for _, version := range []string{"1.4.0", "1.6.5", "1.7.1"} {
					crds[version] = crdOf(t, version)
				}
			}
			for name, crd := range crds {
				t.Run(name, func(t *testing.T) {
					c.serve(t, crd)
					newLaw(t, c, mode).allHold(name == "invented")
				})
			}
		})
	}
}

// law asks an API server about releases.
type law struct {
	t *testing.T
	c *cluster
	*user
	mode     rules.Enforcement
	free     string // a namespace that nobody judges
	judges   []*judge
	versions []string
	accepted []attempt
	made     map[string]bool // what the API server makes of them
}

// attempt is a release that the API server accepts in a version, and whether it violates the law.
type attempt struct {
	object    *unstructured.Unstructured
	version   string
	violating bool
}

// judge is who judges the releases of a namespace, and who creates them there.
type judge struct {
	*user
	byWebhook bool
	tier      release.Tier
	namespace string
	// reported are whether the requests there that were admitted, in order, have to be in the audit log.
	reported []bool
}

func (j *judge) String() string {
	if j.byWebhook {
		return "webhook in " + string(j.tier)
	}
	return "policies in " + string(j.tier)
}

func newLaw(t *testing.T, c *cluster, mode rules.Enforcement) *law {
	t.Helper()
	u := c.user(t)
	l := &law{t: t, c: c, user: u, mode: mode, free: u.namespace(""), versions: []string{"v2"}, made: map[string]bool{}}
	for by, webhook := range map[string]bool{"webhook": true, "policies": false} {
		for _, tier := range release.Tiers {
			l.judges = append(l.judges, &judge{user: c.user(t), byWebhook: webhook, tier: tier, namespace: u.place(string(tier), by)})
		}
	}
	if _, err := u.create("v3", l.free, helmRelease("probe", retried)); err == nil {
		l.versions = append(l.versions, "v3")
	}
	for _, j := range l.judges {
		eventually(t, j.String()+" judges", func() error {
			warnings, err := j.create("v2", j.namespace, helmRelease("probe", bad))
			if reports, sure := l.reports(j, warnings, err); reports || !sure && l.noted(j, 1)[0] {
				return nil
			}
			return errors.New("not yet")
		})
	}
	return l
}

// allHold fails the test unless all releases of this test are judged as they have to be.
func (l *law) allHold(invented bool) {
	l.t.Helper()
	for _, settings := range acceptedSettings {
		for _, object := range writtenMore(settings) {
			l.accept(object, false)
		}
	}
	for _, settings := range violatingSettings {
		for _, object := range writtenMore(settings) {
			l.accept(object, true)
		}
	}
	least := 45
	if invented {
		least = 220
		for settings, violating := range future {
			l.accept(helmRelease("future", settings), violating)
		}
	}
	var working sync.WaitGroup
	for _, j := range l.judges {
		working.Go(func() {
			for _, a := range l.accepted {
				l.holds(j, a)
			}
		})
	}
	working.Wait()
	l.audited()
	if invented {
		l.says()
	}
	if invented && l.mode == rules.EnforceDeny {
		l.updates()
	}
	if len(l.accepted) < least {
		l.t.Errorf("the API server accepts only %d releases", len(l.accepted))
	}
}

// create tries to create a release, and returns the warnings.
func (u *user) create(version, namespace string, object *unstructured.Unstructured) ([]string, error) {
	_, warnings, err := u.try(version, namespace, object)
	return warnings, err
}

// try tries to create a release, and returns what the API server makes of it, and the warnings.
func (u *user) try(version, namespace string, object *unstructured.Unstructured) (*unstructured.Unstructured, []string, error) {
	object = object.DeepCopy()
	object.SetAPIVersion(helmReleases.Group + "/" + version)
	u.takeWarnings()
	made, err := u.Resource(helmReleases.GroupResource().WithVersion(version)).Namespace(namespace).
		Create(u.t.Context(), object, metav1.CreateOptions{DryRun: dryRun, FieldValidation: "Ignore"})
	return made, u.takeWarnings(), err
}

// accept notes in which versions the API server accepts a release, unless it makes of it what it has
// made of another: it drops what it does not have before anybody is asked. Of v3, which it shows to
// judges as v2, those with one field more add nothing.
func (l *law) accept(object *unstructured.Unstructured, violating bool) {
	l.t.Helper()
	for _, version := range l.versions {
		if version != "v2" && object.GetName() == "one" {
			continue
		}
		made, _, err := l.try(version, l.free, object)
		if err != nil {
			continue
		}
		if key := fmt.Sprint(version, made.Object["spec"]); !l.made[key] {
			l.made[key] = true
			l.accepted = append(l.accepted, attempt{object, version, violating})
		}
	}
}

// holds fails the test unless a release that the API server accepts is reported, or not, and
// denied for that only where the mode denies. What only the audit log says is left to audited.
func (l *law) holds(j *judge, a attempt) {
	l.t.Helper()
	warnings, err := j.create(a.version, j.namespace, a.object)
	denies := l.mode == rules.EnforceDeny && a.violating
	if apierrors.IsForbidden(err) != denies || (err != nil) != denies || l.mode == rules.EnforceAudit && len(warnings) > 0 {
		l.t.Errorf("%s, %s: want denied: %t of %v: %v, %q", a.version, j, denies, a.object.Object["spec"], err, warnings)
	}
	if reports, sure := l.reports(j, warnings, err); sure && reports != a.violating {
		l.t.Errorf("%s, %s: reported: %t, want %t of %v: %q", a.version, j, reports, a.violating, a.object.Object["spec"], warnings)
	} else if !sure {
		j.reported = append(j.reported, a.violating)
	}
	for _, warning := range append(warnings, fmt.Sprint(err)) {
		if schemaRule.MatchString(warning) {
			l.t.Errorf("%s, %s: %s", a.version, j, warning)
		}
	}
}

// replacedSettings are those of releases that cannot be read in whole, or that recover from nothing; some have a
// fault that an update may keep.
var replacedSettings = []string{
	`{timeout: 300, maxHistory: 5%, install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 3}}}`,
	`{install: {strategy: {name: RetryOnFailure}}, upgrade: {strategy: {name: CanaryOnFailure}}}`,
	`{install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 50%}}}`,
	`{install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 50%, strategy: uninstall}}}`,
	`{upgrade: {remediation: {retries: 50%}}}`, `{timeout: 300}`, `{maxHistory: 5%, upgrade: {remediation: {strategy: uninstall, retries: 3}}}`,
	`{timeout: 300, install: {remediation: {retries: -1}}, upgrade: {remediation: {retries: 3}}}`, `{}`,
}

// updates fails the test unless webhook and policies decide alike, and say alike what is not known, on what
// replaces a release that cannot be read in whole, and on what cannot be read itself.
func (l *law) updates() {
	l.t.Helper()
	next := append(slices.Concat(acceptedSettings[:3], violatingSettings, replacedSettings), slices.Sorted(maps.Keys(future))...)
	denied := map[string][]bool{}
	said := map[string][]string{}
	for _, by := range []string{"webhook", "policies"} {
		namespace := l.place("", by)
		var olds []*unstructured.Unstructured
		for i, settings := range replacedSettings {
			old, err := l.releases(namespace).Create(l.t.Context(), helmRelease(fmt.Sprintf("old-%d", i), settings), metav1.CreateOptions{FieldValidation: "Ignore"})
			if err != nil {
				l.t.Fatal(err)
			}
			olds = append(olds, old)
		}
		l.label(namespace, "production")
		before := len(olds)
		eventually(l.t, by+" judge", func() error {
			before++
			if _, err := l.create("v2", namespace, helmRelease("probe", bad)); err == nil {
				return errors.New("not yet")
			}
			return nil
		})
		for _, old := range olds {
			for _, settings := range next {
				object := helmRelease(old.GetName(), settings)
				object.SetResourceVersion(old.GetResourceVersion())
				_ = unstructured.SetNestedField(object.Object, "later", "spec", "releaseName") // for it to be another one
				_, err := l.releases(namespace).Update(l.t.Context(), object, metav1.UpdateOptions{DryRun: dryRun, FieldValidation: "Ignore"})
				if err != nil && !apierrors.IsForbidden(err) {
					l.t.Error(err)
				}
				denied[by] = append(denied[by], err != nil)
			}
		}
		said[by] = l.unknown(namespace, before, len(denied[by]))
	}
	for i := range denied["webhook"] {
		from, to := replacedSettings[i/len(next)], next[i%len(next)]
		if denied["webhook"][i] != denied["policies"][i] {
			l.t.Errorf("%s to %s: the webhook denies: %t, the policies: %t", from, to, denied["webhook"][i], denied["policies"][i])
		}
		if said["webhook"][i] != said["policies"][i] {
			l.t.Errorf("%s to %s: the webhook does not know %s, the policies %s", from, to, said["webhook"][i], said["policies"][i])
		}
	}
	if n := len(denied["webhook"]); !slices.Contains(denied["webhook"], true) || !slices.Contains(denied["webhook"], false) || slices.Max(said["webhook"]) == "" {
		l.t.Errorf("%d updates show nothing", n)
	}
}

// unknown returns what the audit log says that is not known of the last n requests to a namespace,
// after as many before them.
func (l *law) unknown(namespace string, before, n int) (found []string) {
	l.t.Helper()
	eventually(l.t, "the audit log tells of "+namespace, func() error {
		all, err := l.c.audit.all(namespace)
		if err != nil || len(all) < before+n {
			return errors.New("not yet")
		}
		found = nil
		for _, annotations := range all[len(all)-n:] {
			fields := strings.Split(annotations["production.flux-remedy.io/unknown"]+annotations["flux-remedy-production/unknown"], ",")
			slices.Sort(fields)
			found = append(found, strings.Join(fields, ","))
		}
		return nil
	})
	return found
}

// reports reports whether an answer says that a release violates the law; sure is false where
// only the audit log says that. The webhook's warnings are too short to name every rule.
func (l *law) reports(j *judge, warnings []string, err error) (reports, sure bool) {
	if l.mode == rules.EnforceDeny {
		return apierrors.IsForbidden(err), true
	}
	policy := fmt.Sprintf("'flux-remedy-%s'", j.tier)
	return strings.Contains(strings.Join(warnings, "\n"), policy), l.mode == rules.EnforceWarn && !j.byWebhook
}

// audited fails the test unless the audit log reports what it has to.
func (l *law) audited() {
	l.t.Helper()
	for _, j := range l.judges {
		if len(j.reported) == 0 {
			continue
		}
		eventually(l.t, "the audit log tells of "+j.String(), func() error {
			if got := l.noted(j, len(j.reported)); !slices.Equal(got, j.reported) {
				return fmt.Errorf("got %v, want %v", got, j.reported)
			}
			return nil
		})
	}
}

// noted reports whether the audit log says of the last n requests to a namespace that they
// violate the law: that a rule is broken which reports errors.
func (l *law) noted(j *judge, n int) []bool {
	l.t.Helper()
	all, err := l.c.audit.all(j.namespace)
	if err != nil {
		return make([]bool, n)
	}
	engine := newRules(l.t).Engine
	var out []bool
	for _, annotations := range all[max(0, len(all)-n):] {
		policy := fmt.Sprintf(`"policy":"flux-remedy-%s"`, j.tier)
		noted := strings.Contains(annotations["validation.policy.admission.k8s.io/validation_failure"], policy)
		for id := range strings.SplitSeq(annotations[string(j.tier)+".flux-remedy.io/warned"], ",") {
			rule, _ := engine.Rule(id)
			noted = noted || rule.Severity[release.Production] == rules.Error
		}
		out = append(out, noted)
	}
	return out
}

// says fails the test unless the audit log names what nobody knows.
func (l *law) says() {
	l.t.Helper()
	object := helmRelease("future", `{install: {strategy: {name: CanaryOnFailure, jitter: 30s}}, upgrade: {strategy: {name: RetryOnFailure}, remediation: {delay: 5m}}}`)
	for _, j := range l.judges {
		if j.tier != release.Production {
			continue
		}
		if _, err := l.create("v2", j.namespace, object); err != nil {
			l.t.Fatal(err)
		}
		key := "flux-remedy-production/unknown"
		if j.byWebhook {
			key = "production.flux-remedy.io/unknown"
		}
		eventually(l.t, "the audit log tells of "+j.String(), func() error {
			all, err := l.c.audit.all(j.namespace)
			if err != nil {
				return err
			}
			annotations := all[len(all)-1]
			fields := strings.Split(annotations[key], ",")
			slices.Sort(fields)
			if want := []string{"spec.install.strategy.jitter", "spec.install.strategy.name", "spec.upgrade.remediation.delay"}; !slices.Equal(fields, want) {
				return fmt.Errorf("%s: got %q, want %q", j, annotations, want)
			}
			return nil
		})
	}
}

var schemaRule = regexp.MustCompile(`\[(invalid-value|removed-api|unknown-field|unsupported-field|growing-history)\]`)
