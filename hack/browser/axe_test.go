//go:build browser

package browser

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var axe = flag.String("axe", "", "axe.min.js, as make test-browser gets it")

// accessible asks axe-core for violations of WCAG 2.2 AA and of good practice: roles, names,
// contrast, what the keyboard reaches.
func (p *tab) accessible(state string) {
	p.Helper()
	script, err := os.ReadFile(*axe)
	if err != nil {
		p.Fatalf("%v: run make test-browser", err)
	}
	p.run(chromedp.Evaluate(string(script), nil))
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct{ HTML, FailureSummary string }
	}
	raw := p.eval(`axe.run(document, {resultTypes: ["violations"]}).then((r) => JSON.stringify(r.violations))`)
	if err := json.Unmarshal([]byte(raw), &found); err != nil {
		p.Fatalf("%v in %.200s", err, raw)
	}
	for _, v := range found {
		for _, node := range v.Nodes[:min(3, len(v.Nodes))] {
			p.Errorf("%s: %s %s: %s\n%.300s\n%s", state, v.Impact, v.ID, v.Help, node.HTML, node.FailureSummary)
		}
	}
}

// everywhere checks a page in both colour schemes, on a screen and on a phone.
func (p *tab) everywhere(state string) {
	p.Helper()
	for _, colours := range []string{"light", "dark"} {
		p.run(scheme(colours))
		p.accessible(state + ", " + colours)
	}
	p.run(phone())
	p.accessible(state + ", on a phone")
	p.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
}

func TestAccessibleReport(t *testing.T) {
	p := lint(t, "testdata/demo", "")
	p.everywhere("as it opens")
	p = lint(t, "testdata/demo", "")
	p.run(chromedp.Evaluate(`document.querySelectorAll("#blocks details").forEach((d) => { d.open = true })`, nil),
		chromedp.Click(`#rows .row:first-child button`, chromedp.ByQuery), chromedp.WaitVisible(`#rows .detail .finding`, chromedp.ByQuery))
	p.everywhere("unfolded")
}

func TestAccessibleForecast(t *testing.T) {
	p := forecast(t, "testdata/demo")
	p.everywhere("fleet")
	p.shot("forecast-light", false)
	t.Log("search a release")
	p.run(chromedp.SendKeys("#search", "postgres", chromedp.ByQuery))
	p.want(`[...document.querySelectorAll(".group")].filter((g) => !g.hidden).every((g) => g.textContent.includes("postgres"))`, "true")
	p.want(`document.querySelectorAll("[data-groups]:not([hidden])").length < document.querySelectorAll("[data-groups]").length`, "true")
	before := forecast(t, "--compare", "policies/rules/recovery/retry-then-rollback/bad.yaml", "policies/rules/recovery/retry-then-rollback/good.yaml")
	before.everywhere("comparison")
	before.shot("comparison-light", false)
	before.want(`document.querySelectorAll("svg.strip").length > 4`, "true")
}

// forecast writes the page of a forecast and opens it.
func forecast(t *testing.T, arguments ...string) *tab {
	t.Helper()
	page := flux(t, append([]string{"forecast", "-o", "html"}, arguments...)...)
	if !strings.HasPrefix(page, "<!doctype html>") {
		t.Fatalf("%.300s", page)
	}
	file := t.TempDir() + "/forecast.html"
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	return visit(t, file, "", "svg.strip")
}
