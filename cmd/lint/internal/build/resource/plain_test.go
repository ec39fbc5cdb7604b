package resource

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/buildtest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
)

func resourceOf(text string) *resource.Resource {
	all, err := provider.NewDefaultDepProvider().GetResourceFactory().SliceFromBytes([]byte("kind: A\napiVersion: v1\nmetadata: {name: a}\nspec:\n" + buildtest.Indent(text)))
	if err != nil || len(all) != 1 {
		return nil
	}
	return all[0]
}

// FuzzPlainObject states the law of PlainOf: what is plain is the same by way of texts.
func FuzzPlainObject(f *testing.F) {
	for _, seed := range buildtest.Seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var res *resource.Resource
		if kustomize.Recovered("", func() error { res = resourceOf(text); return nil }) != nil || res == nil {
			return
		}
		if p := PlainOf(res.YNode()); p.Object != nil {
			hold(t, res, p)
		}
	})
}

// hold compares a plain object with what texts give, with and without substitution.
func hold(t *testing.T, res *resource.Resource, p Plain) {
	t.Helper()
	want, err := objectByText(res)
	if err != nil || !reflect.DeepEqual(p.Object, want) {
		t.Errorf("got %q, want %q, %v", p.Object, want, err)
	}
	data, err := res.AsYAML()
	if err != nil {
		t.Fatal(err)
	}
	if written, err := (&Resource{plain: p.Object}).text(); err != nil || string(written) != string(data) {
		t.Errorf("written as %q, want %q, %v", written, data, err)
	}
	if p.Dollar {
		return
	}
	if want, _, err = new(variables.Variables).InText(string(data)); err != nil || !reflect.DeepEqual(p.Object, want) {
		t.Errorf("got %q, substituted %q, %v", p.Object, want, err)
	}
}

func TestPlainObject(t *testing.T) {
	text := "a: {b: [1, true, null, x, 'y z', \"\"]} # comment\nc: |\n  x:\n    y: 1\n"
	if PlainOf(resourceOf(text).YNode()).Object == nil {
		t.Error("what is plain is not taken for it")
	}
	if !PlainOf(resourceOf("a: {b: [x, '${Y}']}").YNode()).Dollar || !PlainOf(resourceOf("$a: 1").YNode()).Dollar {
		t.Error("a $ is not seen")
	}
}

// TestPlainStrings writes strings of what means something in YAML, in every style.
func TestPlainStrings(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune(strings.Repeat("  \n--::##''\"\"??||>>{}[],&*!%@`\\~=<.ay01$éü—→…😀", 40) + "\u00a0\u3000\ue000\ufeff\u2028")
	text := func() string {
		out := make([]rune, random.IntN(30)*(1+random.IntN(5)))
		for i := range out {
			out[i] = letters[random.IntN(len(letters))]
		}
		return string(out)
	}
	styles := []yaml.Style{0, yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle}
	tags := []string{"", yaml.NodeTagString}
	taken := 0
	for range 3000 {
		res := resourceOf("a: 1")
		spec, err := res.Pipe(yaml.Lookup("spec"))
		if err != nil {
			t.Fatal(err)
		}
		scalar := func() *yaml.Node {
			return &yaml.Node{Kind: yaml.ScalarNode, Value: text(), Style: styles[random.IntN(len(styles))], Tag: tags[random.IntN(len(tags))]}
		}
		list := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{scalar()}, Style: yaml.Style(random.IntN(2)) * yaml.FlowStyle}
		spec.YNode().Content = []*yaml.Node{scalar(), scalar(), {Kind: yaml.ScalarNode, Value: "list"}, list}
		if p := PlainOf(res.YNode()); p.Object != nil {
			taken++
			hold(t, res, p)
		}
	}
	if taken < 500 {
		t.Errorf("%d of 3000 are plain", taken)
	}
}
