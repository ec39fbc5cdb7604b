package entries

import "testing"

func TestClusterName(t *testing.T) {
	for dir, want := range map[string]string{
		"clusters/production":            "production",
		"clusters/prod-eu/flux-system":   "prod-eu",
		"kubernetes/clusters/cluster-00": "cluster-00",
		"kubernetes/flux/cluster":        "cluster",
		"kube/clusters/biohazard/flux":   "biohazard",
		"kubernetes/main/flux":           "main",
		"clusters/prod/main":             "prod",
		"":                               "cluster",
		".":                              "cluster",
	} {
		if got := clusterName(dir); got != want {
			t.Errorf("clusterName(%q) = %q, want %q", dir, got, want)
		}
	}
}
