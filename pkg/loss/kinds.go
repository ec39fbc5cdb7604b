package loss

// builtin are the API groups of Kubernetes itself that have a dot in their names.
var builtin = map[string]bool{
	"admissionregistration.k8s.io": true, "apiextensions.k8s.io": true, "apiregistration.k8s.io": true,
	"authentication.k8s.io": true, "authorization.k8s.io": true, "certificates.k8s.io": true,
	"coordination.k8s.io": true, "discovery.k8s.io": true, "events.k8s.io": true,
	"flowcontrol.apiserver.k8s.io": true, "internal.apiserver.k8s.io": true, "networking.k8s.io": true,
	"node.k8s.io": true, "rbac.authorization.k8s.io": true, "resource.k8s.io": true,
	"scheduling.k8s.io": true, "storage.k8s.io": true, "storagemigration.k8s.io": true,
}

// clusterScoped are the kinds of Kubernetes that are in no namespace and that charts hold.
var clusterScoped = map[string]bool{
	"APIService": true, "ClusterRole": true, "ClusterRoleBinding": true, "CSIDriver": true,
	Definition: true, "IngressClass": true, "MutatingWebhookConfiguration": true, namespace: true,
	volume: true, "PriorityClass": true, "RuntimeClass": true, "StorageClass": true,
	"ValidatingAdmissionPolicy": true, "ValidatingAdmissionPolicyBinding": true,
	"ValidatingWebhookConfiguration": true,
}

// settings are the API groups whose objects say how something is to be set up, and which are whole
// again when the chart is installed again. An entry with a kind is for that kind alone.
var settings = map[string]bool{
	"monitoring.coreos.com/ServiceMonitor": true, "monitoring.coreos.com/PodMonitor": true,
	"monitoring.coreos.com/Probe": true, "monitoring.coreos.com/PrometheusRule": true,
	"monitoring.coreos.com/ScrapeConfig": true, "monitoring.coreos.com/AlertmanagerConfig": true,
	"operator.victoriametrics.com/VMServiceScrape": true, "operator.victoriametrics.com/VMPodScrape": true,
	"operator.victoriametrics.com/VMRule": true, "grafana.integreatly.org/GrafanaDashboard": true,
	"cert-manager.io": true, "external-secrets.io": true, "gateway.networking.k8s.io": true,
	"networking.istio.io": true, "security.istio.io": true, "telemetry.istio.io": true,
	"traefik.io": true, "traefik.containo.us": true, "cilium.io": true, "kyverno.io": true,
	"policy.cert-manager.io": true, "autoscaling.k8s.io": true, "keda.sh": true,
	"gateway.envoyproxy.io": true, "projectcontour.io": true, "secrets-store.csi.x-k8s.io": true,
	"snapshot.storage.k8s.io/VolumeSnapshotClass": true, "acid.zalan.do/OperatorConfiguration": true, "k8s.cni.cncf.io": true,
	"notification.toolkit.fluxcd.io": true, "source.toolkit.fluxcd.io": true,
}

// configures reports whether a custom resource is made anew with nothing lost.
func configures(group, kind string) bool { return settings[group] || settings[group+"/"+kind] }
