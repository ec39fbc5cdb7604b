package incident

import (
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Address is the cluster that commands are for, as kubectl finds it. The zero value is the
// one that they act on without flags.
type Address struct{ Context, Kubeconfig string }

// contextFlags are the flags by which programs take a context. All take --kubeconfig.
var contextFlags = map[string]string{"flux": "--context", "kubectl": "--context", "helm": "--kube-context"}

// between is what separates commands.
const between = ", then "

// Command returns the commands of a way for a release: with its name, and each for the
// cluster of the address. What is no command stays as it is.
func (a Address) Command(do string, r *release.Release) string {
	if !forecast.Command(do) {
		return do
	}
	own := forecast.Argument(r.Name, "NAME") + " -n " + forecast.Argument(r.Namespace, "NAMESPACE")
	var all []string
	for command := range strings.SplitSeq(forecast.Way{Do: do}.Named(own).Do, between) {
		all = append(all, command+a.flags(command, r))
	}
	return strings.Join(all, between)
}

// At returns a command of flux for the cluster of the address.
func (a Address) At(command string) string {
	if a.Context != "" {
		command += " --context " + quoted(a.Context, "CONTEXT")
	}
	return command + a.file()
}

// flags returns what has a command act on the right cluster. Helm's records are where the
// release is, which may be another cluster than that of the HelmRelease.
func (a Address) flags(command string, r *release.Release) string {
	program, _, _ := strings.Cut(command, " ")
	if program == "helm" && remote(r) {
		return " --kubeconfig KUBECONFIG"
	}
	flags := ""
	if a.Context != "" {
		flags += " " + contextFlags[program] + " " + quoted(a.Context, "CONTEXT")
	}
	return flags + a.file()
}

// file returns the flag that names the kubeconfig.
func (a Address) file() string {
	if a.Kubeconfig == "" {
		return ""
	}
	return " --kubeconfig " + quoted(a.Kubeconfig, "KUBECONFIG")
}

// Elsewhere returns commands as they are written where others read them, who have no file of
// this machine.
func (a Address) Elsewhere(commands string) string {
	if a.Kubeconfig == "" {
		return commands
	}
	return strings.ReplaceAll(commands, a.file(), "")
}

// remote reports whether a release is on another cluster than its HelmRelease.
func remote(r *release.Release) bool {
	return object.At(r.Object, "spec", "kubeConfig") != nil
}

// plainly are the characters that no shell reads in another way.
const plainly = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:@+=,%"

// quoted returns an argument as a shell takes it: names of contexts may hold anything. One
// that a terminal would not show as it is becomes the placeholder.
func quoted(argument, placeholder string) string {
	switch {
	case strings.ContainsFunc(argument, func(r rune) bool { return r < ' ' || r > '~' }):
		return placeholder
	case strings.Trim(argument, plainly) == "":
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}
