package fleet

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// controllerName is the name of the Deployment of helm-controller.
const controllerName = "helm-controller"

// applierName is the name of the Deployment of kustomize-controller.
const applierName = "kustomize-controller"

// officialImages are the ends of the repositories of Flux's images, in any registry.
var officialImages = []string{"fluxcd", "controlplaneio-fluxcd/alpine", "controlplaneio-fluxcd/distroless"}

// versionLabel holds the release of Flux on what flux install and bootstrap write.
const versionLabel = "app.kubernetes.io/version"

// ControllerOf reads version and gates of helm-controller from its Deployment, and reports
// whether that has an image of Flux.
func ControllerOf(deployment map[string]any) (c release.Controller, official bool) {
	container := officialContainer(deployment, controllerName)
	if container == nil {
		return c, false
	}
	if c.Version = tagOf(object.String(container, "image")); c.Version == "" {
		c.Version = helmController(object.String(deployment, "metadata", "labels", versionLabel))
	}
	args, _ := object.At(container, "args").([]any)
	for _, arg := range args {
		text, _ := arg.(string)
		if text == "--" || strings.Contains(text, "feature-gates") && strings.Contains(text, "$(") {
			return release.Controller{Version: c.Version}, true
		}
		c.Gates = addGates(c.Gates, text)
	}
	if replicas, ok := object.At(deployment, "spec", "replicas").(float64); object.At(container, "command") != nil || ok && replicas == 0 {
		c.Gates = nil // no gate of these arguments is known to be on
	}
	return c, true
}

// officialContainer returns the container of a Deployment that runs Flux's own image of
// a controller; nil if there is none.
func officialContainer(deployment map[string]any, controller string) any {
	for _, container := range containersOf(deployment) {
		if isOfficial(object.String(container, "image"), controller) {
			return container
		}
	}
	return nil
}

func containersOf(deployment map[string]any) []any {
	containers, _ := object.At(deployment, "spec", "template", "spec", "containers").([]any)
	return containers
}

// isOfficial reports whether an image is that of a controller of Flux, in Flux's own
// repository or in one with the same path in another registry.
func isOfficial(image, controller string) bool {
	image, _, _ = strings.Cut(image, "@")
	if at := strings.LastIndex(image, ":"); at > strings.LastIndex(image, "/") {
		image = image[:at]
	}
	for _, end := range officialImages {
		if strings.HasSuffix("/"+image, "/"+path.Join(end, controller)) {
			return true
		}
	}
	return false
}

// tagOf returns the version in the tag of an image; "" if it has none.
func tagOf(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndex(image, ":v"); i >= 0 && semver.IsValid(image[i+1:]) {
		return image[i+2:]
	}
	return ""
}

var gatesFlag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`--feature-gates=([\w=,]+)`) })

// addGates adds the gates of the flag --feature-gates in an argument. Gates that do not
// matter for failures are left out.
func addGates(gates release.Gates, arg string) release.Gates {
	m := gatesFlag().FindStringSubmatch(arg)
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
