package library

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	root     = flag.String("root", "../..", "root of the repository")
	trees    = flag.Int("trees", 60, "how many trees to look at")
	seed     = flag.Uint64("seed", 1, "the first seed")
	presence = flag.Bool("presence", true, "also with objects that Flux is told to skip")
	why      = flag.Bool("why", false, "say why Flux fails")
)

// atOnce is how many trees one process looks at.
const atOnce = 50

var program string

// offline refuses what kustomize would fetch.
type offline struct{}

func (offline) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("nothing is fetched")
}

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "library-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "flux-remedy")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, "./cmd/lint")
	build.Dir = *root
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	http.DefaultTransport = offline{}
	if err := os.Setenv("PATH", ""); err != nil {
		panic(err)
	}
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stderr = null // kustomize notes deprecated fields there
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// The same is said of random trees as Flux's libraries make of them.
func TestRandomTrees(t *testing.T) {
	var counts count
	for first := 0; first < *trees; first += atOnce {
		counts.look(t, *seed+uint64(first), min(atOnce, *trees-first))
	}
	t.Logf("%+v", counts)
}

// count is what the trees were.
type count struct{ trees, failing, missing, undetermined, releases, different int }

// look looks at the trees of some seeds.
func (c *count) look(t *testing.T, first uint64, n int) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var all []*tree
	var folders []string
	for i := range n {
		one := newTree(first+uint64(i), *presence)
		all, folders = append(all, one), append(folders, one.name())
		if err := one.write(filepath.Join(dir, one.name())); err != nil {
			t.Fatal(err)
		}
	}
	said, err := ask(program, dir, folders)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		flux, err := applied(filepath.Join(dir, one.name()), "clusters/"+one.name())
		if err != nil {
			t.Fatal(err)
		}
		verdict := *said[one.name()]
		c.add(flux, verdict)
		if *why && len(flux.failed) > 0 {
			t.Logf("seed %d: %s", one.seed, failures(flux))
		}
		if text := difference(flux, verdict); text != "" {
			c.different++
			t.Errorf("seed %d: %s%s\n%s", one.seed, text, failures(flux), one.archive())
		}
	}
}

func (c *count) add(flux *cluster, said verdict) {
	c.trees++
	c.releases += len(flux.releases())
	switch {
	case flux.missing:
		c.missing++
	case len(flux.failed) > 0:
		c.failing++
	}
	if len(said.undetermined) > 0 {
		c.undetermined++
	}
}

func failures(flux *cluster) string {
	if len(flux.failed) == 0 {
		return ""
	}
	return fmt.Sprintf("Flux: %v\n", flux.failed)
}
