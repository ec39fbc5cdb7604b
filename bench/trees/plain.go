// Package trees makes GitOps trees of a given size for measuring. The same seed makes
// the same tree, byte for byte.
package trees

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Tree is the text of files by path.
type Tree map[string]string

// Plain returns releases in files of perFile documents, without clusters, with values of
// about so many lines. Seven of ten are accepted in production.
func Plain(seed uint64, releases, perFile, lines int) Tree {
	random := rand.New(rand.NewPCG(seed, uint64(releases)))
	out := Tree{}
	for first := 0; first < releases; first += perFile {
		var documents []string
		for i := first; i < min(first+perFile, releases); i++ {
			documents = append(documents, release(random, fmt.Sprintf("app-%05d", i), fmt.Sprintf("team-%02d", i%40), remediation(random), lines))
		}
		out[fmt.Sprintf("releases/%03d/%05d.yaml", first/perFile/100, first/perFile)] = strings.Join(documents, "---\n")
	}
	return out
}

// remediation returns the failure settings of a release.
func remediation(random *rand.Rand) string {
	switch n := random.IntN(10); {
	case n < 4:
		return retry
	case n < 7:
		return bounded
	case n < 9:
		return "  upgrade:\n    remediation:\n      retries: 3\n"
	}
	return ""
}

const (
	retry = `  install:
    strategy:
      name: RetryOnFailure
      retryInterval: 3m
  upgrade:
    strategy:
      name: RetryOnFailure
      retryInterval: 3m
`
	bounded = `  install:
    remediation:
      retries: 3
  upgrade:
    remediation:
      retries: 3
      remediateLastFailure: true
`
)

// release returns a HelmRelease with values: most have few lines, some have many.
func release(random *rand.Rand, name, namespace, settings string, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: %s
  namespace: %s
spec:
  interval: 1h
  timeout: 10m
  chart:
    spec:
      chart: %[1]s
      version: %[3]d.%[4]d.x
      sourceRef:
        kind: HelmRepository
        name: charts
        namespace: flux-system
%[5]s  values:
`, name, namespace, 1+random.IntN(9), random.IntN(30), settings)
	for i := range 5 + int(float64(lines)/3*random.ExpFloat64()) {
		fmt.Fprintf(&b, "    %s%d:\n      enabled: %t # the default of the chart\n      %s: \"%d\"\n",
			words[random.IntN(len(words))], i, random.IntN(2) == 0, words[random.IntN(len(words))], random.IntN(1000))
	}
	return b.String()
}

var words = []string{"image", "replicas", "resources", "ingress", "service", "persistence", "metrics", "probes", "affinity", "config"}

// Apart returns releases in files of their own whose settings are drawn field by field, each independently of
// the others: nearly no two are set alike.
func Apart(seed uint64, releases, lines int) Tree {
	random := rand.New(rand.NewPCG(seed, uint64(releases)))
	out := Tree{}
	for i := range releases {
		text := release(random, fmt.Sprintf("app-%05d", i), fmt.Sprintf("team-%02d", i%40), drawn(random), lines)
		out[fmt.Sprintf("releases/%03d/%05d.yaml", i/100, i)] = strings.Replace(text, "  interval: 1h\n  timeout: 10m\n", "", 1)
	}
	return out
}

// drawn returns settings, each drawn on its own.
func drawn(random *rand.Rand) string {
	var b strings.Builder
	maybe := func(line string, values ...string) {
		if i := random.IntN(len(values) + 1); i < len(values) {
			fmt.Fprintf(&b, line, values[i])
		}
	}
	fmt.Fprintf(&b, "  interval: %dm\n", []int{5, 10, 15, 30, 60}[random.IntN(5)])
	maybe("  timeout: %s\n", "5m", "10m", "15m", "30m")
	maybe("  maxHistory: %s\n", "2", "5", "10")
	maybe("  driftDetection:\n    mode: %s\n", "enabled", "warn")
	for _, action := range []string{"install", "upgrade"} {
		fmt.Fprintf(&b, "  %s:\n    crds: CreateReplace\n", action)
		maybe("    timeout: %s\n", "5m", "10m")
		maybe("    disableWait: %s\n", "true", "false")
		if random.IntN(2) == 0 {
			fmt.Fprintf(&b, "    strategy:\n      name: RetryOnFailure\n      retryInterval: %dm\n", 1+random.IntN(5))
			continue
		}
		fmt.Fprintf(&b, "    remediation:\n      retries: %d\n", random.IntN(6)-1)
		maybe("      remediateLastFailure: %s\n", "true", "false")
		maybe("      ignoreTestFailures: %s\n", "true", "false")
	}
	return b.String()
}

// Write writes the files to a folder.
func (t Tree) Write(dir string) error {
	for name, text := range t {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
