package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const header = "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\n"

// mount writes files as the kubelet mounts a ConfigMap: as links into a folder
// that is replaced as a whole. A second call replaces the files of the first.
func mount(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	version, err := os.MkdirTemp(dir, "..version")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(version, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(name, "/")
		if err := os.Symlink(filepath.Join("..data", first), filepath.Join(dir, first)); err != nil && !errors.Is(err, os.ErrExist) {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Base(version), filepath.Join(dir, "..data.new")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "..data.new"), filepath.Join(dir, "..data")); err != nil {
		t.Fatal(err)
	}
}

// want waits until a metric has a value.
func (i *instance) want(metric, value string) {
	i.t.Helper()
	eventually(i.t, metric+" is "+value, func() error {
		if got := i.metric(metric); !strings.HasSuffix(got, " "+value) {
			return errors.New("it is " + got)
		}
		return nil
	})
}

func TestReloadConfig(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, map[string]string{".flux-remedy.yaml": header})
	_, u, i := judged(t, "self-signed", "--config", filepath.Join(dir, ".flux-remedy.yaml"))
	namespace := u.namespace("production")
	create := func() error {
		_, err := u.releases(namespace).Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	}
	wantDenied(t, create(), "no-recovery")

	mount(t, dir, map[string]string{".flux-remedy.yaml": header + "spec: {admission: {enforcement: {production: warn}}}\n"})
	eventually(t, "production is only warned", create)

	mount(t, dir, map[string]string{".flux-remedy.yaml": header + "spec: {admission: {enforcment: {production: deny}}}\n"})
	i.want("remedy_webhook_reload_successful", "0")
	if err := create(); err != nil {
		t.Error("after a bad configuration:", err)
	}
	if !strings.Contains(i.log.String(), "enforcment") {
		t.Error("the log does not name the bad field")
	}

	mount(t, dir, map[string]string{".flux-remedy.yaml": header})
	i.want("remedy_webhook_reload_successful", "1")
	wantDenied(t, create(), "no-recovery")
}

const customRule = `# METADATA
# title: No release is named %
# description: A rule of this cluster alone.
# custom:
#   severity: {production: error, staging: error, development: error}
package remedy.rules.api["no-%"]

report contains {"path": ["metadata", "name"], "message": "the name % is taken"} if input.object.metadata.name == "%"
`

func TestReloadRules(t *testing.T) {
	dir := t.TempDir()
	rule := func(name string) map[string]string {
		return map[string]string{"rules/api/no-" + name + "/no-" + name + ".rego": strings.ReplaceAll(customRule, "%", name)}
	}
	mount(t, dir, rule("one"))
	_, u, i := judged(t, "self-signed", "--policy", dir)
	namespace := u.namespace("production")
	deny := func(name string) error {
		_, err := u.releases(namespace).Create(t.Context(), helmRelease(name, retried), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil || !strings.Contains(err.Error(), "the name "+name+" is taken") {
			return errors.New("not denied by the custom rule")
		}
		return nil
	}
	if err := deny("one"); err != nil {
		t.Error(err)
	}

	mount(t, dir, rule("two"))
	eventually(t, "the new rule denies", func() error { return deny("two") })
	if deny("one") == nil {
		t.Error("the rule that is gone still denies")
	}

	mount(t, dir, map[string]string{"rules/api/broken/broken.rego": "package remedy.rules.api.broken\n\nreport := input.objekt"})
	i.want("remedy_webhook_reload_successful", "0")
	if err := deny("two"); err != nil {
		t.Error("after a broken rule:", err)
	}
}
