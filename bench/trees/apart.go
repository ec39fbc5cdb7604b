package trees

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

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
