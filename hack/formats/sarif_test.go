package formats

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// oasis is the SHA-256 of sarif-schema-2.1.0.json as OASIS publishes it.
const oasis = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"

// TestSARIF checks reports against the schema of SARIF 2.1.0.
func TestSARIF(t *testing.T) {
	text := sarifSchema(t)
	if sum := sha256.Sum256([]byte(text)); hex.EncodeToString(sum[:]) != oasis {
		t.Fatalf("the schema is another one than that of OASIS: %x", sum)
	}
	schema := compile(t, text)
	written(t, "sarif", true, func(t *testing.T, out []byte) {
		if err := schema.Validate(value(t, out)); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	if schema.Validate(value(t, []byte(`{"version": "2.1.0", "runs": [{"results": []}]}`))) == nil {
		t.Error("the schema accepts a run without a tool")
	}
}

// sarifSchema reads the schema from the source of go-sarif, which contains it.
func sarifSchema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok {
			text, err = strconv.Unquote(literal.Value)
		}
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
