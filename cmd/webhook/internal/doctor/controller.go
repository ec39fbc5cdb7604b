package doctor

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// controllerName is the name of helm-controller's Deployment and of the end of its image.
const controllerName = "helm-controller"

// controller compares the helm-controllers that run with what the webhook judges by.
func (i Installation) controller(ctx context.Context, api kubernetes.Interface) (string, error) {
	deployments, err := api.AppsV1().Deployments(i.FluxNamespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", explain("the Deployments of "+i.FluxNamespace, err)
	}
	assumed := i.Config.ControllerAt(rules.Place{Cluster: i.Cluster}, release.Controller{})
	found := 0
	var wrong []error
	for _, deployment := range deployments.Items {
		if running, ok := controllerOf(deployment); ok {
			found++
			wrong = append(wrong, differences(deployment.Namespace+"/"+deployment.Name, running, assumed))
		}
	}
	if found == 0 {
		return "", fmt.Errorf("namespace %s has no Deployment with an image of %s: say where Flux runs with --flux-namespace", i.FluxNamespace, controllerName)
	}
	return "version and gates are those of the configuration", errors.Join(wrong...)
}

// differences returns an error for each thing that differs between a running controller and
// the one that the webhook assumes.
func differences(where string, running, assumed release.Controller) error {
	var wrong []error
	version := assumed.Version
	if version == "" {
		version = release.DefaultControllerVersion
	}
	switch {
	case running.Version == "":
		wrong = append(wrong, fmt.Errorf("the Deployment %s: the tag of its image is no version, so that nothing shows whether it is %s", where, version))
	case semver.MajorMinor("v"+running.Version) != semver.MajorMinor("v"+version):
		wrong = append(wrong, fmt.Errorf("the Deployment %s runs helm-controller %s, and the webhook judges by %s: set spec.controller.version of the configuration",
			where, running.Version, version))
	}
	for _, gate := range gates() {
		if running.Gates[gate] != assumed.Gates[gate] {
			wrong = append(wrong, fmt.Errorf("the Deployment %s has the gate %s=%t, and the webhook judges by %t: set spec.controller.gates of the configuration",
				where, gate, running.Gates[gate], assumed.Gates[gate]))
		}
	}
	return errors.Join(wrong...)
}

func gates() (names []string) {
	for name := range release.KnownGates {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var gatesFlag = regexp.MustCompile(`^--feature-gates=(.*)$`)

// controllerOf reads version and gates of a Deployment, and reports whether it is one of
// helm-controller.
func controllerOf(deployment appsv1.Deployment) (c release.Controller, ok bool) {
	for _, container := range deployment.Spec.Template.Spec.Containers {
		image, _, _ := strings.Cut(container.Image, "@")
		name, tag := image, ""
		if at := strings.LastIndex(image, ":"); at > strings.LastIndex(image, "/") {
			name, tag = image[:at], image[at+1:]
		}
		if !strings.HasSuffix("/"+name, "/"+controllerName) {
			continue
		}
		if semver.IsValid(tag) {
			c.Version = strings.TrimPrefix(tag, "v")
		}
		c.Gates = release.Gates{}
		for _, arg := range container.Args {
			addGates(c.Gates, arg)
		}
		return c, true
	}
	return c, false
}

func addGates(gates release.Gates, arg string) {
	m := gatesFlag.FindStringSubmatch(arg)
	if m == nil {
		return
	}
	for pair := range strings.SplitSeq(m[1], ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		gates[name] = strings.EqualFold(value, "true") || value == "1"
	}
}
