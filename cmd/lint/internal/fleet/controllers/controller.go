package controllers

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Helm is the name of the Deployment of helm-controller.
const Helm = "helm-controller"

// Kustomize is the name of the Deployment of kustomize-controller.
const Kustomize = "kustomize-controller"

// officialImages are the ends of the repositories of Flux's images, in any registry.
var officialImages = []string{"fluxcd", "controlplaneio-fluxcd/alpine", "controlplaneio-fluxcd/distroless"}

// versionLabel holds the release of Flux on what flux install and bootstrap write.
const versionLabel = "app.kubernetes.io/version"

// ControllerOf reads version and gates of helm-controller from its Deployment, and reports
// whether that has an image of Flux.
func ControllerOf(deployment map[string]any) (c release.Controller, official bool) {
	found, official := RunningIn(deployment, func(string) map[string]any { return nil })
	return found.Controller, official
}

// RunningIn returns what a Deployment of helm-controller runs, and reports whether that has an image
// of Flux. Of several containers only what all say is used.
func RunningIn(deployment map[string]any, from ConfigMaps) (out Installation, official bool) {
	for i, container := range OfficialContainers(deployment, Helm) {
		found := startedBy(container, deployment, from)
		found.From = "container " + object.String(container, "name")
		if i > 0 {
			found = Agreed(out, found)
		}
		out, official = found, true
	}
	if replicas := object.At(deployment, "spec", "replicas"); official && (replicas == float64(0) || replicas == 0 || replicas == int64(0)) {
		out.Controller.Gates = nil // no gate of these arguments is known to be on
		out.Watched.idle = "has no replicas"
	}
	if official && object.At(deployment, "spec", "paused") == true {
		out.Watched.unknown = "is paused, so what it runs may be older than what is written"
	}
	return out, official
}

// startedBy returns what a container of helm-controller runs. A gate that may not reach it is left out.
func startedBy(container any, deployment map[string]any, from ConfigMaps) (out Installation) {
	image := object.String(container, "image")
	if out.Controller.Version = tagOf(image); out.Controller.Version == "" {
		out.Controller.Version = HelmController(object.String(deployment, "metadata", "labels", versionLabel))
	}
	if object.At(container, "command") != nil {
		out.Watched.unknown = "has a command"
		return out
	}
	env := environmentOf(container, object.Namespace(deployment), from)
	list, _ := object.At(container, "args").([]any)
	var args []string
	for _, item := range list {
		written, _ := item.(string)
		arg, known := env.expand(written)
		name, _, _ := strings.Cut(written, "=")
		if !known && (strings.Contains(name, "$(") || slices.Contains(decisive, strings.TrimLeft(name, "-"))) || arg == "--" {
			out.Watched.unknown = "has the argument " + written + ", and what that stands for is not known"
		}
		args = append(args, arg)
	}
	if swallowing := swallows(args); swallowing != "" {
		out.Watched.unknown = "has the argument " + swallowing + ", which takes the next one as its value"
	}
	if out.Watched.unknown == "" {
		out.read(args, object.Namespace(deployment))
	}
	return out
}

// decisive are the flags of helm-controller that decide what it does with which releases.
var decisive = []string{"feature-gates", "watch-label-selector", "watch-all-namespaces"}

// switches are the flags of helm-controller that take no value. It has no flags of one letter.
// Source: main.go of helm-controller, and the options of github.com/fluxcd/pkg/runtime.
var switches = []string{
	"enable-leader-election", "leader-election-release-on-cancel", "watch-all-namespaces", "no-cross-namespace-refs",
	"insecure-kubeconfig-exec", "insecure-kubeconfig-tls", "insecure-allow-http", "help",
}

// swallows returns an argument without a value that takes the next one for it, although that is a flag; "" if
// there is none.
func swallows(args []string) string {
	for i, arg := range args {
		isFlag := strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") && !slices.Contains(switches, strings.TrimPrefix(arg, "--"))
		if isFlag && i+1 < len(args) && strings.HasPrefix(args[i+1], "-") {
			return arg
		}
	}
	return ""
}

// read reads the arguments of helm-controller.
func (i *Installation) read(args []string, namespace string) {
	gates := release.Gates{}
	flags := newFlags()
	everywhere := flags.Bool("watch-all-namespaces", true, "")
	flags.StringVar(&i.Watched.selector, "watch-label-selector", "", "")
	flags.BoolFunc("no-cross-namespace-refs", "", func(text string) (err error) {
		i.Locked, err = strconv.ParseBool(text)
		return err
	})
	flags.Func("feature-gates", "", func(text string) error {
		i.Notes = append(i.Notes, unknownGates(Helm, text)...)
		return addGates(gates, text)
	})
	if err := flags.Parse(args); err != nil {
		i.Locked, i.Watched = false, scope{unknown: "has arguments that it cannot read: " + strings.Join(strings.Fields(err.Error()), " ")}
		return
	}
	if !*everywhere {
		i.Watched.namespace = namespace
	}
	if len(gates) > 0 {
		i.Controller.Gates = gates
	}
	if _, err := selectorOf(i.Watched.selector); err != nil || len(variables.Unknown(i.Watched.selector)) > 0 {
		i.Watched.unknown = "watches " + i.Watched.selector + ", which is not known"
	}
}

// OfficialContainers returns the containers of a Deployment that run Flux's own image of a controller.
func OfficialContainers(deployment map[string]any, controller string) []any {
	return slices.DeleteFunc(slices.Clone(ContainersOf(deployment)), func(container any) bool {
		return !isOfficial(object.String(container, "image"), controller)
	})
}

// ContainersOf returns the containers of a Deployment, but for its init containers.
func ContainersOf(deployment map[string]any) []any {
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

// addGates adds the gates in a value of the flag --feature-gates. Gates that do not matter for
// failures are left out.
func addGates(gates release.Gates, text string) error {
	for _, pair := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if _, known := release.KnownGates[name]; !known {
			continue
		}
		on, err := strconv.ParseBool(strings.TrimSpace(value))
		if err != nil {
			return err
		}
		gates[name] = on
	}
	return nil
}
