package entries

import (
	"errors"
	"testing"
)

// What kustomize says of folders in folders is told of the innermost one.
func TestTold(t *testing.T) {
	for text, want := range map[string]string{
		"accumulating resources: accumulation err='accumulating resources from '../../app': read bases/app: is a directory': recursed accumulation of path 'bases/app': " +
			"accumulating resources: accumulation err='accumulating resources from '../v2.6': read bases/v2.6: is a directory': recursed accumulation of path 'bases/v2.6': " +
			"trouble configuring builtin HelmChartInflationGenerator: must specify --enable-helm": //
		"bases/v2.6: trouble configuring builtin HelmChartInflationGenerator: must specify --enable-helm",
		"accumulating resources: accumulation err='accumulating resources from '../a': read a: is a directory': recursed accumulation of path 'a': no such\n  thing: {token: x}"://
		"a: no such",
		"accumulating resources: accumulation err='accumulating resources from '../vm': read vm: is a directory': recursed accumulation of path 'vm': " +
			"accumulating resources: accumulating resources from 'ks.yaml': MalformedYAMLError: yaml: unknown anchor 'pvc' referenced in File: ks.yaml": //
		"vm/ks.yaml: no anchor &pvc stands before *pvc in its document: write the anchor there, or the value instead of *pvc",
		"accumulating resources: accumulating resources from 'a.yaml': MalformedYAMLError: yaml: line 3: did not find expected key in File: a.yaml"://
		"a.yaml: did not find expected key",
		"accumulating resources: accumulation err='accumulating resources from './boards': read app/boards: is a directory': couldn't make target for path 'app/boards': " +
			"invalid Kustomization: yaml: line 7: did not find expected key": //
		"app/boards: invalid Kustomization: did not find expected key",
		"failed to decode Kubernetes YAML from apps/shop.yaml: MalformedYAMLError: yaml: line 6: could not find expected ':'"://
		"failed to decode Kubernetes YAML from apps/shop.yaml: could not find expected ':'",
		"base: accumulating resources: accumulation err='accumulating resources from './gone/': open base/gone: no such file or directory': must build at directory: " +
			"not a valid directory: evalsymlink failure on 'base/gone' : lstat base/gone: no such file or directory": //
		"base: base/gone is missing",
		`accumulating components: loader.New "must build at directory: not a valid directory: evalsymlink failure on 'gone' : lstat gone: no such file or directory"`://
		"gone is missing",
		"trouble configuring builtin PatchTransformer: failed to get the patch file from path(gone.yaml): open c/gone.yaml: no such file or directory": "c/gone.yaml is missing",
		"trouble configuring builtin ReplacementTransformer: open e/gone.yaml: no such file or directory":                                              "e/gone.yaml is missing",
		"loading KV pairs: env source files: [.cluster-vars.env]: open .cluster-vars.env: no such file or directory":                                   "env file .cluster-vars.env is missing",
		"recursed accumulation of path '../base': loading KV pairs: env source files: [a.env b.env]: open base/b.env: no such file or directory":       "recursed accumulation of path '../base': env file base/b.env is missing",
		"loading KV pairs: file sources: [tls=old/vars.key]: open old/vars.key: no such file or directory":                                             "file old/vars.key is missing",
		"loading KV pairs: env source files: [a.env]: \"pass word hunter2\" is not a valid key name: it holds a space":                                 "loading KV pairs",
		"loading KV pairs: env source files: [a.env]: line 3 has invalid utf8 bytes : hunter2=open: no such file or directory\n":                       "loading KV pairs",
		"loading KV pairs: literal sources [PASSWORD hunter2]: invalid literal source PASSWORD hunter2, expected key=value":                            "loading KV pairs",
		"accumulating resources: accumulation err='merging resources from 'b/hr.yaml': may not add resource with an already registered id: HelmRelease.v2.helm.toolkit.fluxcd.io/shop.apps': " +
			"must build at directory: 'b/hr.yaml': file is not directory": //
		"b/hr.yaml: HelmRelease apps/shop is already in this build: kustomize takes each object once",
		"accumulating resources: accumulation err='accumulating resources from 'b': read b: is a directory': recursed merging from path 'b': may not add resource with an already registered id: " +
			"CustomResourceDefinition.v1.apiextensions.k8s.io/shops.example.com.[noNs]": //
		"b: CustomResourceDefinition shops.example.com is already in this build: kustomize takes each object once",
		`accumulating components: accumulateDirectory: "recursed accumulation of path 'c': accumulating resources: accumulation err='merging resources from '../b/cm.yaml': ` +
			"may not add resource with an already registered id: ConfigMap.v1.[noGrp]/vars.apps': must build at directory: 'b/cm.yaml': file is not directory\"": //
		"../b/cm.yaml: ConfigMap apps/vars is already in this build: kustomize takes each object once",
		`namespace transformation produces ID conflict: [{"apiVersion":"v1","data":{"token":"x"},"kind":"ConfigMap","metadata":{"annotations":{"a":"b"},"name":"vars","namespace":"shop"}} {"apiVersion":"v1"}]`: "namespace transformation produces ID conflict: [two objects become ConfigMap vars]",
		`variable substitution failed: "A" not set`: `variable substitution failed: "A" not set`,
	} {
		if got := told(errors.New(text)); got != want {
			t.Errorf("%s\nis told as\n%s\nwant\n%s", text, got, want)
		}
	}
}
