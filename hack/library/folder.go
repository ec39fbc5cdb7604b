package library

import (
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/yaml"
)

// folder is a folder with a kustomization.yaml that is being written.
type folder struct {
	*tree
	dir    string
	fields map[string]any
}

func (f folder) append(field string, value any) {
	list, _ := f.fields[field].([]any)
	f.fields[field] = append(list, value)
}

// to is the path of another folder, as seen from this one.
func (f folder) to(dir string) string {
	return strings.Repeat("../", strings.Count(f.dir, "/")+1) + dir
}

// features are what a kustomization.yaml may say beside what it takes. Each is equally likely.
func features() []func(folder) {
	return []func(folder){
		folder.patch, folder.patch, folder.patch, folder.patchFile, folder.legacyMerge, folder.legacyOperations, folder.names, folder.labels,
		folder.generate, folder.generateFiles, folder.replace, folder.transform, folder.transformFolder, folder.generators, folder.configure,
		folder.openapi, folder.component, folder.component, folder.sort, folder.images, folder.validate,
	}
}

func (f folder) decorate() {
	for range few(f.random) {
		pick(f.random, features()...)(f)
	}
}

func few(r random) int { return pick(r, 0, 1, 1, 2, 3) }

func (f folder) someName() string {
	return fmt.Sprintf("r%d", 1+f.IntN(max(f.releases, 1)))
}

func (f folder) patch() {
	if !f.in(12) {
		text, operations := f.patchText("_")
		entry := map[string]any{"patch": text, "target": f.target()}
		if operations && f.in(3) {
			entry["options"] = map[string]any{"allowNameChange": true}
		}
		f.append("patches", entry)
		return
	}
	if text, operations := f.patchText(f.lastName()); !operations {
		f.append("patches", map[string]any{"patch": text})
	}
}

// lastName is the name of a release that is likely to be below.
func (f folder) lastName() string {
	if f.in(10) {
		return f.someName()
	}
	return fmt.Sprintf("r%d", max(f.releases, 1))
}

func (f folder) patchFile() {
	name := fmt.Sprintf("patch-%d.yaml", f.IntN(100))
	f.files[path.Join(f.dir, name)], _ = f.patchText("_")
	f.append("patches", map[string]any{"path": name, "target": f.target()})
}

func (f folder) legacyMerge() {
	if !f.in(6) {
		return // the release must be there by this name
	}
	text, operations := f.patchText(f.lastName())
	switch {
	case operations:
	case f.in(2):
		f.append("patchesStrategicMerge", text)
	default:
		name := fmt.Sprintf("merge-%d.yaml", f.IntN(100))
		f.files[path.Join(f.dir, name)] = text
		f.append("patchesStrategicMerge", pick(f.random, "", "./")+name)
	}
}

func (f folder) legacyOperations() {
	name := fmt.Sprintf("ops-%d.yaml", f.IntN(100))
	f.files[path.Join(f.dir, name)] = "- {op: add, path: /spec/suspend, value: false}\n"
	f.append("patchesJson6902", map[string]any{"path": name, "target": map[string]any{"group": "helm.toolkit.fluxcd.io", "version": "v2", "kind": "HelmRelease", "name": f.lastName()}})
}

func (f folder) names() {
	field := pick(f.random, "namePrefix", "nameSuffix", "namespace")
	f.fields[field] = map[string]string{"namePrefix": "a-", "nameSuffix": "-b", "namespace": "ns2"}[field]
}

func (f folder) labels() {
	switch f.IntN(3) {
	case 0:
		f.fields["commonLabels"] = map[string]any{"team": "a"}
	case 1:
		f.fields["labels"] = []any{map[string]any{"pairs": map[string]any{"team": "b"}, "includeSelectors": f.in(2)}}
	default:
		f.fields["commonAnnotations"] = map[string]any{"team": pick(f.random, "c", "yes", "1")}
	}
}

func (f folder) generate() {
	f.append("configMapGenerator", map[string]any{"name": fmt.Sprintf("gen%d", f.IntN(1000)), "namespace": "ns0", "literals": []any{"a=b", "c=1e3"}})
}

func (f folder) generateFiles() {
	n := f.IntN(1000)
	f.files[fmt.Sprintf("%s/v%d.env", f.dir, n)] = "A=1\n# x\nB=two words\n"
	f.files[fmt.Sprintf("%s/v%d.yaml", f.dir, n)] = "a: 1\n"
	args := map[string]any{"name": fmt.Sprintf("files%d", n), "namespace": "ns0", "files": []any{fmt.Sprintf("values.yaml=v%d.yaml", n)}}
	args[pick(f.random, "envs", "env")] = fmt.Sprintf("v%d.env", n)
	if args["envs"] != nil {
		args["envs"] = []any{args["envs"]}
	}
	if f.in(2) {
		args["options"] = map[string]any{"disableNameSuffixHash": true}
	}
	f.append(pick(f.random, "configMapGenerator", "secretGenerator"), args)
}

func (f folder) replace() {
	if !f.in(3) {
		return // there must be one release alone
	}
	text := replacement(pick(f.random, "spec.timeout", "metadata.name"), pick(f.random, "spec.releaseName", "metadata.labels.from"))
	if f.in(2) {
		name := fmt.Sprintf("replacement-%d.yaml", f.IntN(100))
		f.files[path.Join(f.dir, name)] = pick(f.random, text, "- "+strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ")+"\n")
		f.append("replacements", map[string]any{"path": name})
		return
	}
	var inline map[string]any
	_ = yaml.Unmarshal([]byte(text), &inline)
	f.append("replacements", inline)
}

func (f folder) transform() {
	text := f.plugin(f.dir, f.remote && f.in(3))
	if f.in(2) {
		f.append("transformers", text)
		return
	}
	name := fmt.Sprintf("plugin-%d.yaml", f.IntN(100))
	f.files[path.Join(f.dir, name)] = text
	f.append("transformers", name)
}

func (f folder) transformFolder() { f.pluginFolder("transformers", f.plugin(f.dir, false)) }

func (f folder) pluginFolder(field, text string) {
	dir := fmt.Sprintf("plugins-%d", f.IntN(10000))
	f.files[dir+"/plugin.yaml"] = text
	list := "resources:\n- plugin.yaml\n"
	if f.remote && f.in(2) {
		list += "- http://127.0.0.1:9/plugin.yaml\n"
	}
	f.files[dir+"/"+f.kustName()] = list + pick(f.random, "", "", "commonAnnotations: {x: z}\n")
	f.append(field, f.to(dir))
}

func (f folder) generators() {
	if f.in(2) {
		f.pluginFolder("generators", f.generator(f.dir))
		return
	}
	f.append("generators", f.generator(f.dir))
}

func (f folder) validate() {
	if !f.in(10) {
		return // most fail, since they change something
	}
	f.pluginFolder("validators", f.plugin(f.dir, false))
}

func (f folder) configure() {
	f.files[f.dir+"/names.yaml"] = "nameReference:\n- kind: ConfigMap\n  fieldSpecs:\n  - {kind: HelmRelease, path: spec/valuesFrom/name}\n"
	f.fields["configurations"] = []any{"names.yaml"}
}

func (f folder) openapi() {
	f.files[f.dir+"/schema.json"] = valuesFromByName
	f.fields["openapi"] = map[string]any{"path": "schema.json"}
}

func (f folder) component() {
	if dir := f.newComponent(); dir != "" {
		f.append("components", f.to(dir))
	}
}

func (f folder) sort() {
	f.fields["sortOptions"] = map[string]any{"order": pick(f.random, "fifo", "legacy")}
}

func (f folder) images() {
	f.append("images", map[string]any{"name": "nginx", "newTag": "1.2"})
}

// write writes the kustomization.yaml.
func (f folder) write() {
	if f.remote && f.in(5) {
		f.addRemote()
	}
	text, err := yaml.Marshal(f.fields)
	if err != nil {
		panic(err)
	}
	f.files[path.Join(f.dir, f.kustName())] = f.style(restyled(f.random, string(text)))
}

// style changes the letter case of a field, which kustomize reads as well.
func (f folder) style(text string) string {
	if !f.in(12) {
		return text
	}
	from := pick(f.random, "resources:", "components:", "patches:", "transformers:", "path:", "namespace:")
	to := strings.ToUpper(from[:1]) + from[1:]
	if f.in(2) {
		to = strings.ToUpper(from)
	}
	return strings.Replace(text, from, to, 1)
}

func (f folder) addRemote() {
	const server = "http://127.0.0.1:9/"
	switch f.IntN(6) {
	case 0:
		f.append("resources", server+"r.yaml")
	case 1:
		f.append("components", server+"acme/base//c?ref=v1")
	case 2:
		f.append("patches", map[string]any{"path": server + "p.yaml", "target": map[string]any{"kind": "HelmRelease"}})
	case 3:
		f.append(pick(f.random, "transformers", "generators", "validators", "crds", "configurations"), server+"x.yaml")
	case 4:
		f.append("replacements", map[string]any{"path": server + "r.yaml"})
	default:
		f.append("resources", "git@127.0.0.1:acme/base.git//x")
	}
}
