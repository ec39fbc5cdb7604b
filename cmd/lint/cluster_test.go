package main

import (
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/live/livetest"
)

// cluster CONTEXT=FILE... starts a stand-in for the API server of each context, which
// holds the objects of a file, and has the variable KUBECONFIG name them. The first one
// is the current context; its namespace is apps.
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
		server.Page = 2
		servers[name] = server.Server
	}
	current, _, _ := strings.Cut(args[0], "=")
	file := ts.MkAbs("kubeconfig")
	ts.Check(livetest.Kubeconfig(file, current, servers))
	ts.Setenv("KUBECONFIG", file)
}
