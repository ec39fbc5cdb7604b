package main

import (
	"net/http"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
)

// cluster CONTEXT=FILE... starts a stand-in for the API server of each context, which
// holds the objects of a file, and has the variable KUBECONFIG name them. The first one
// is the current context; its namespace is apps. A HelmRelease that is annotated gets the
// status that its annotation "then" has, as if a controller had handled the request.
func cluster(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: cluster CONTEXT=FILE...")
	}
	servers := map[string]*livetest.Server{}
	for _, arg := range args {
		name, file, _ := strings.Cut(arg, "=")
		var objects []map[string]any
		for document := range strings.SplitSeq(ts.ReadFile(file), "\n---\n") {
			var object map[string]any
			ts.Check(yaml.Unmarshal([]byte(document), &object))
			objects = append(objects, object)
		}
		server := livetest.Start(objects...)
		ts.Defer(server.Close)
		server.Page, server.Asked = 2, handle
		servers[name] = server.Server
	}
	current, _, _ := strings.Cut(args[0], "=")
	file := ts.MkAbs("kubeconfig")
	ts.Check(livetest.Kubeconfig(file, current, servers))
	ts.Setenv("KUBECONFIG", file)
}

func handle(method string, object map[string]any) {
	meta, _ := object["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	then, _ := annotations["then"].(string)
	if method != http.MethodPatch || then == "" {
		return
	}
	var status map[string]any
	if err := yaml.Unmarshal([]byte(then), &status); err != nil {
		panic(err)
	}
	at := annotations["reconcile.fluxcd.io/requestedAt"]
	status["lastHandledReconcileAt"], status["lastHandledResetAt"], status["lastHandledForceAt"] = at, at, at
	object["status"] = status
}
