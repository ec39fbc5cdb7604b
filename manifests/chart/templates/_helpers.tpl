{{/* The labels of what stands in manifests/base. */}}
{{- define "flux-remedy.labels" -}}
app.kubernetes.io/name: remedy-webhook
app.kubernetes.io/part-of: flux-remedy
{{- end }}

{{/* Whether the webhook asks the API server: it has a token then, and a way out. */}}
{{- define "flux-remedy.asks" -}}
{{- if or (eq .Values.webhook.certificate "self-signed") .Values.webhook.secureMetrics }}true{{ end }}
{{- end }}

{{/* The namespaces that are judged as a tier. */}}
{{- define "flux-remedy.production" -}}
matchExpressions:
{{- if eq .Values.webhook.cluster "production" }}
- key: flux-remedy.io/tier
  operator: NotIn
  values: [staging, development]
{{- else }}
- key: flux-remedy.io/tier
  operator: Exists
- key: flux-remedy.io/tier # a value that is no tier means the strictest
  operator: NotIn
  values: [staging, development]
{{- end }}
{{ include "flux-remedy.others" . }}
{{- end }}

{{- define "flux-remedy.staging" -}}
matchExpressions:
- key: flux-remedy.io/tier
{{- if eq .Values.webhook.cluster "staging" }}
  operator: NotIn
  values: [production, development]
{{- else }}
  operator: In
  values: [staging]
{{- end }}
{{ include "flux-remedy.others" . }}
{{- end }}

{{- define "flux-remedy.others" -}}
- key: kubernetes.io/metadata.name
  operator: NotIn
  values: [kube-system, kube-public, kube-node-lease, {{ .Release.Namespace }}]
{{- end }}
