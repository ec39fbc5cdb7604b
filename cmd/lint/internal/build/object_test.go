package build

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// plainSeeds are objects whose values YAML could take for others.
var plainSeeds = []string{
	"a: 1\nb: -0\nc: 007\nd: 0x1f\ne: 1_000\nf: 1e3\ng: .5\nh: 123456789012345\ni: 9007199254740993\nj: +1\nk: 190:20:30\n",
	"a: yes\nb: 'yes'\nc: !!str yes\nd: !!bool yes\ne: True\nf: \"true\"\ny: n\non: off\n",
	"a:\nb: ~\nc: null\nd: Null\ne: 'null'\nf: [null, ~, ]\ng: {h: , i: null}\n",
	"a: 2001-01-01\nb: !!binary aGk=\nc: !x y\nd: !!str 1\ne: !!int '1'\nf: =\ng: <<\n",
	"<<: {a: 1}\nb: &x {c: 1}\nd: *x\ne: {<<: *x}\n",
	"a: |\n  x\n   y\n\nb: |-\n  x\nc: |+\n  x\n\n\nd: >\n  x\n  y\ne: |2\n   x\nf: |\n\n  x\ng: \"x\\ny\"\nh: 'x\n\n  y'\n",
	"a: \" x\"\nb: 'x '\nc: \"x \\n y\"\nd: \"\\t\"\ne: 'é'\nf: \"x\\n\"\ng: '# x'\nh: 'a: b'\ni: '- a'\nj: '- '\nk: ''\nl: |\n  x \n  y\n",
	"a: # x\n  b: 1 # y\n# z\nc: # w\n  - 1\n  # v\n  - 2\n\n# u\n\n# t\nd: |  # s\n  x\n# r\n",
	"a: {}\nb: []\nc: {d: []}\n? [x]\n: 1\n", "1: a\n", "true: a\n", "a: 1\na: 2\n", "'': 1\n", "? |\n  x\n: 1\n",
	"a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb ccccccccccccccccccccc  ddddddddddddddd '# ee\n",
	"a: \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb  \\n cccc: cccccc ' \\\" d\"\n",
	"a: ${X}\n", "$b: 1\n", "a: $\n", "a: x$$y\n",
}

func resourceOf(text string) *resource.Resource {
	all, err := provider.NewDefaultDepProvider().GetResourceFactory().SliceFromBytes([]byte("kind: A\napiVersion: v1\nmetadata: {name: a}\nspec:\n" + indent(text)))
	if err != nil || len(all) != 1 {
		return nil
	}
	return all[0]
}

func indent(text string) string {
	out, start := "", true
	for _, r := range text {
		if start && r != '\n' {
			out += "  "
		}
		out, start = out+string(r), r == '\n'
	}
	return out
}

// FuzzPlainObject states the law of plainObject: what is plain is the same by way of texts.
func FuzzPlainObject(f *testing.F) {
	for _, seed := range plainSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var res *resource.Resource
		if recovered("", func() error { res = resourceOf(text); return nil }) != nil || res == nil {
			return
		}
		if p := plainObject(res.YNode()); p.object != nil {
			hold(t, res, p)
		}
	})
}

// hold compares a plain object with what texts give, with and without substitution.
func hold(t *testing.T, res *resource.Resource, p plain) {
	t.Helper()
	want, err := objectByText(res)
	if err != nil || !reflect.DeepEqual(p.object, want) {
		t.Errorf("got %q, want %q, %v", p.object, want, err)
	}
	data, err := res.AsYAML()
	if err != nil {
		t.Fatal(err)
	}
	if written, err := (&Resource{plain: p.object}).text(); err != nil || string(written) != string(data) {
		t.Errorf("written as %q, want %q, %v", written, data, err)
	}
	if p.dollar {
		return
	}
	v := Variables{}
	if want, err = v.run(string(data), nil, marker); err != nil || !reflect.DeepEqual(p.object, want) {
		t.Errorf("got %q, substituted %q, %v", p.object, want, err)
	}
}

func TestPlainObject(t *testing.T) {
	text := "a: {b: [1, true, null, x, 'y z', \"\"]} # comment\nc: |\n  x:\n    y: 1\n"
	if plainObject(resourceOf(text).YNode()).object == nil {
		t.Error("what is plain is not taken for it")
	}
	if !plainObject(resourceOf("a: {b: [x, '${Y}']}").YNode()).dollar || !plainObject(resourceOf("$a: 1").YNode()).dollar {
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
		if p := plainObject(res.YNode()); p.object != nil {
			taken++
			hold(t, res, p)
		}
	}
	if taken < 500 {
		t.Errorf("%d of 3000 are plain", taken)
	}
}
