//go:build flux

package flux

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// charts makes the versions of the chart of a scenario.
type charts struct {
	*Artifacts
	kind string // Workload or Deployment
}

// resource is that of the objects that charts are made of.
func (c *charts) resource() schema.GroupVersionResource {
	if c.kind == "Deployment" {
		return kinds["Deployment"]
	}
	return schema.GroupVersionResource{Group: "test.flux-remedy.io", Version: "v1", Resource: "workloads"}
}

const workload = `apiVersion: test.flux-remedy.io/v1
kind: Workload
metadata:
  name: ROLE
  labels: {role: ROLE, version: VERSION}
  annotations: {revision: "{{ .Release.Revision }}", HOOK: TYPE}
`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ROLE
  labels: {role: ROLE, version: VERSION}
  annotations: {revision: "{{ .Release.Revision }}", HOOK: TYPE}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: a, image: a}]}
`

// artifact returns the status of a source that holds a version of the chart.
func (c *charts) artifact(s scenario, version string) (map[string]any, error) {
	object := func(text, role, hook string) string {
		return strings.NewReplacer("ROLE", role, "VERSION", version, "HOOK: TYPE", hook).Replace(text)
	}
	text := workload
	if c.kind == "Deployment" {
		text = deployment
	}
	templates := map[string]string{
		"main.yaml": object(text, "main", "by: test"),
		"test.yaml": object(workload, "test", "helm.sh/hook: test"),
	}
	if s.name == "rollback-hook-fails" {
		templates["hook.yaml"] = object(workload, "hook", "helm.sh/hook: pre-rollback")
	}
	if s.broken && version == newVersion {
		templates["main.yaml"] = `{{ fail "it cannot be rendered" }}`
	}
	data, err := Chart(version, templates)
	if err != nil {
		return nil, err
	}
	return c.Publish(data, version), nil
}
