package fleet

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// controllerOf reads version and gates from the Deployment of helm-controller.
func controllerOf(deployment map[string]any) release.Controller {
	var c release.Controller
	containers, _ := object.At(deployment, "spec", "template", "spec", "containers").([]any)
	for _, container := range containers {
		image, _, _ := strings.Cut(object.String(container, "image"), "@")
		if i := strings.LastIndex(image, ":v"); i >= 0 && semver.IsValid(image[i+1:]) {
			c.Version = image[i+2:]
		}
		args, _ := object.At(container, "args").([]any)
		for _, arg := range args {
			text, _ := arg.(string)
			c.Gates = addGates(c.Gates, text)
		}
	}
	return c
}

var gatesFlag = regexp.MustCompile(`--feature-gates=([\w=,]+)`)

// addGates adds the gates of the flag --feature-gates in an argument. Gates that do not
// matter for failures are left out.
func addGates(gates release.Gates, arg string) release.Gates {
	m := gatesFlag.FindStringSubmatch(arg)
	if m == nil {
		return gates
	}
	for _, pair := range strings.Split(m[1], ",") {
		name, value, _ := strings.Cut(pair, "=")
		if _, known := release.KnownGates[name]; known {
			if gates == nil {
				gates = release.Gates{}
			}
			gates[name] = value == "true" || value == "True" || value == "1"
		}
	}
	return gates
}

// controllerIn returns the helm-controller of a cluster, as far as the tree shows it: a
// FluxInstance that is applied there replaces the entry's. A Deployment sets gates, and
// the version if nothing else does.
func controllerIn(l *lookup, cluster string) release.Controller {
	var out release.Controller
	if cluster == l.cluster.Name {
		out = l.cluster.controller
	}
	for _, obj := range slices.Concat(l.objects.ofKind(cluster, "HelmRelease"), l.objects.ofKind(cluster, "FluxInstance")) {
		if spec := instanceSpec(obj); spec != nil {
			_, out = install(spec, syncObject("GitRepository", "flux-system", ""))
		}
	}
	for _, obj := range l.objects.ofKind(cluster, "Deployment") {
		found := controllerOf(obj)
		if out.Version == "" {
			out.Version = found.Version
		}
		for gate, on := range found.Gates {
			if out.Gates == nil {
				out.Gates = release.Gates{}
			}
			out.Gates[gate] = on
		}
	}
	return out
}
