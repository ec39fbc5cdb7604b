package controllers

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// install applies patches to what is synced and to the Deployments of helm-controller, which is given, and
// of other controllers, for a release or range of releases of Flux. It returns what is synced then, and what
// the patched Deployments describe. If a patch does not fit these, Flux is not installed as it is written.
func install(builder *build.Builder, version string, patches []any, helm map[string]any, synced ...map[string]any) (patched []map[string]any, out Installation) {
	fit, misfit := fitting(builder, append(append(synced, helm), standIns()[1:]...), patches)
	out.Watched.idle = "does not install " + Helm
	var strict *bool
	workers, notes := 0, []string(nil)
	for _, obj := range fit {
		switch name := object.Name(obj); {
		case !object.Is(obj, "Deployment"):
			patched = append(patched, obj)
		case name == Helm:
			out = patchedHelm(obj, version)
		case name == Kustomize:
			strict, workers = StrictGate(obj), WorkersOf(obj, 0)
			notes = append(notes, GateNotes(obj)...)
		case name == Source:
			notes = append(notes, GateNotes(obj)...)
		}
	}
	out.Strict, out.Workers, out.Notes = strict, workers, append(out.Notes, notes...)
	if out.patches = patches; misfit != "" {
		out.Controller, out.Stopped, out.Unknown = release.Controller{}, misfit, misfit
	}
	return patched, out
}

// patchedHelm returns what a patched Deployment of helm-controller runs: its image may be another than that of
// the release or range of releases of Flux.
func patchedHelm(deployed map[string]any, version string) Installation {
	out, official := RunningIn(deployed, func(string) map[string]any { return nil })
	switch image := ImageOf(deployed); {
	case out.Controller.Version != "":
	case official && image == ImageOf(deployment(Helm)):
		out.Controller.Version = HelmController(version)
	default:
		out.Unknown = "a patch of what installs Flux gives " + Helm + " an image without a version: " + image
	}
	return out
}

// fitting returns objects with all patches applied that fit them. Misfit says which patch cannot be applied to
// one of them that it targets; "" if all can.
func fitting(builder *build.Builder, objects []map[string]any, patches []any) (patched []map[string]any, misfit string) {
	if patched := builder.Patch(objects, patches); patched != nil {
		return patched, ""
	}
	var kept []any
	patched = objects
	for i, p := range patches {
		if with := builder.Patch(objects, append(slices.Clone(kept), p)); with != nil {
			kept, patched = append(kept, p), with
		} else if misfit == "" && targets(builder, objects, p) {
			misfit = fmt.Sprintf("patch %d of what installs Flux does not fit what it targets, so nothing is installed", i+1)
		}
	}
	return patched, misfit
}

// targets reports whether a patch is one of Deployments alone, of which it targets one of some objects.
func targets(builder *build.Builder, objects []map[string]any, patch any) bool {
	target, _ := object.At(patch, "target").(map[string]any)
	if target == nil {
		var own map[string]any
		_ = yaml.Unmarshal([]byte(object.String(patch, "patch")), &own)
		target = map[string]any{"kind": own["kind"], "name": object.Name(own)}
	}
	if target["kind"] != "Deployment" {
		return false
	}
	const mark = `[{"op": "add", "path": "/metadata/uid", "value": "target"}]`
	marked := builder.Patch(objects, []any{map[string]any{"target": target, "patch": mark}})
	return slices.ContainsFunc(marked, func(o map[string]any) bool { return object.String(o, "metadata", "uid") != "" })
}

// standIns returns the Deployments of controllers as they are before patches.
func standIns() []map[string]any {
	return []map[string]any{deployment(Helm), deployment(Kustomize), deployment(Source)}
}

//go:embed standins.yaml
var manifests []byte

// deployment returns the Deployment of a controller of Flux as it is before patches, with more arguments.
func deployment(name string, args ...any) map[string]any {
	text, source, _ := bytes.Cut(manifests, []byte("\n---\n"))
	if name == Source {
		text = source
	}
	var out map[string]any
	_ = yaml.Unmarshal(bytes.ReplaceAll(text, []byte(Helm), []byte(name)), &out) // it is a constant
	container := ContainersOf(out)[0].(map[string]any)
	container["args"] = append(container["args"].([]any), args...)
	return out
}
