package main

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
)

// chartTemplates are the files of components that a value of the chart adds as they are. What a
// component changes in other objects is written by hand in the chart's templates.
var chartTemplates = map[string][]string{
	".Values.audit.enabled":                                                       {"audit/rbac.yaml", "audit/cronjob.yaml"},
	".Values.auditFleet.enabled":                                                  {"audit-fleet/storage.yaml", "audit-fleet/shards.yaml", "audit-fleet/merge.yaml"},
	"and .Values.webhook.enabled .Values.webhook.backstop":                        {"backstop/policies.yaml"},
	"and .Values.webhook.enabled .Values.webhook.check":                           {"check/rbac.yaml", "check/cronjob.yaml"},
	"and .Values.webhook.enabled .Values.webhook.monitoring":                      {"monitoring/prometheusrule.yaml"},
	"and .Values.webhook.enabled .Values.webhook.secureMetrics":                   {"secure-metrics/rbac.yaml"},
	`and .Values.webhook.enabled (eq .Values.webhook.certificate "cert-manager")`: {"cert-manager/certificates.yaml"},
	`and .Values.webhook.enabled (eq .Values.webhook.certificate "self-signed")`:  {"self-signed/rbac.yaml", "self-signed/secret.yaml"},
}

// chartFiles are the files that ConfigMaps of the chart hold.
var chartFiles = map[string]string{
	"base.yaml": "base/config.yaml", "audit.yaml": "components/audit/config.yaml", "dashboard.json": "components/monitoring/dashboard.json",
}

// inChart are the texts of manifests that the chart's values decide, and what stands for them.
var inChart = []string{
	"{{", `{{ "{{" }}`,
	"namespace: flux-remedy\n", "namespace: {{ .Release.Namespace }}\n",
	"image: flux-remedy:latest\n", "image: {{ .Values.IMAGE.image }}\n",
	"image: remedy-webhook:latest\n", "image: {{ .Values.webhook.image }}\n",
	"$(SERVICE)", "remedy-webhook", "$(NAMESPACE)", "{{ .Release.Namespace }}",
}

// judged is where a policy's binding says which namespaces it judges.
var judged = regexp.MustCompile(`(?m)(policyName: flux-remedy-(production|staging)[^\n]*\n(?:  .*\n)*?    namespaceSelector:\n)(?:      .*\n)+`)

// chart returns the files of the Helm chart that are made of the manifests.
func chart() (map[string][]byte, error) {
	files, all := map[string][]byte{}, ""
	for name, source := range chartFiles {
		data, err := os.ReadFile(path.Join("manifests", source))
		if err != nil {
			return nil, err
		}
		files["manifests/chart/files/"+name] = data
	}
	for condition, sources := range chartTemplates {
		for _, source := range sources {
			data, err := os.ReadFile(path.Join("manifests/components", source))
			if err != nil {
				return nil, err
			}
			values := map[bool]string{true: "auditFleet", false: "audit"}[strings.HasPrefix(source, "audit-fleet")]
			all += string(data)
			text := strings.ReplaceAll(strings.NewReplacer(inChart...).Replace(string(data)), ".IMAGE.", "."+values+".")
			text = judged.ReplaceAllString(text, "$1      {{- include \"flux-remedy.$2\" . | nindent 6 }}\n")
			files["manifests/chart/templates/components/"+strings.ReplaceAll(source, "/", "-")] = fmt.Appendf(nil,
				"{{- /* Written from manifests/components/%s by make generate. */}}\n{{- if %s }}\n%s{{- end }}\n", source, condition, text)
		}
	}
	for i := 0; i < len(inChart); i += 2 {
		if !strings.Contains(all, inChart[i]) {
			return nil, fmt.Errorf("no component has %q any more, which a value of the chart replaces", inChart[i])
		}
	}
	if !judged.MatchString(all) {
		return nil, fmt.Errorf("no policy has a namespaceSelector any more, which a value of the chart replaces: %s", judged)
	}
	return files, nil
}
