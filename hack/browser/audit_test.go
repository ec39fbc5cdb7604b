//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// states are statuses as helm-controller leaves them.
const states = "testdata/incident/states.yaml"

// audit writes the page of an audit of clusters and opens it. Each cluster has the releases of
// states, as many as there are, under names of their own.
func audit(t *testing.T, clusters, releases int, edit func(cluster, n int, release map[string]any)) (*tab, int64) {
	t.Helper()
	var report map[string]any
	if err := json.Unmarshal([]byte(flux(t, "audit", "-f", states, "--fail-on", "off", "-o", "json")), &report); err != nil {
		t.Fatal(err)
	}
	now, err := time.Parse(time.RFC3339, report["time"].(string))
	if err != nil {
		t.Fatal(err)
	}
	kinds := report["releases"].([]any)
	var all, counted []any
	for c := range clusters {
		name := fmt.Sprintf("prod-%03d", c)
		by := map[string]int{}
		for n := range releases {
			one := map[string]any{}
			text, err := json.Marshal(kinds[(n+c)%len(kinds)])
			if err != nil || json.Unmarshal(text, &one) != nil {
				t.Fatal(err)
			}
			delete(one, "rivals")
			one["cluster"] = name
			if n >= len(kinds) {
				one["name"] = fmt.Sprintf("%s-%02d", one["name"], n)
			}
			if one["since"] != nil {
				one["since"] = now.Add(-time.Duration(1+(n*n*n+7*c)%3000) * 97 * time.Second).Format(time.RFC3339)
			}
			if edit != nil {
				edit(c, n, one)
			}
			by[one["phase"].(string)]++
			all = append(all, one)
		}
		counted = append(counted, map[string]any{"name": name, "releases": releases, "byPhase": by})
	}
	counted = append(counted, map[string]any{"name": "dark", "releases": 0, "byPhase": map[string]int{}, "incomplete": true})
	report["releases"], report["clusters"], report["problems"] = all, counted, []string{"cluster dark: no answer within 10s (--cluster-timeout)"}
	dir := t.TempDir()
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "audit.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "audit.html")
	fluxExits(t, 2, "audit", "merge", filepath.Join(dir, "audit.json"), "-o", "html="+file)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return visit(t, file, "", "#rows .row"), info.Size()
}

func TestAudit(t *testing.T) {
	dated := 0
	p, _ := audit(t, 20, 25, func(_, _ int, r map[string]any) {
		if r["since"] != nil && r["phase"] != "ready" {
			dated++
		}
	})
	p.want(tally, "500")
	p.want(`document.title`, "Flux Remedy: 20 stuck, 60 interrupted")
	p.want(`[...document.querySelectorAll("#rows .row")].slice(0, 20).every((row) => row.textContent.includes("stuck"))`, "true")
	p.want(`document.querySelector("#problems").textContent.includes("cluster dark: no answer")`, "true")
	p.want(`document.querySelector("#clusters").closest("section").querySelector("tbody tr").textContent.includes("not read")`, "true")

	t.Log("what many have in common, how old, and clusters choose releases")
	for _, chosen := range []string{`[data-filter=cause]`, `.age:not(:disabled)`, `[data-filter=cluster]`, `.tile.waiting`} {
		p.run(chromedp.Click(chosen, chromedp.ByQuery))
		if p.want(tally+`.includes(" of 500 releases") && !`+tally+`.startsWith("0 ")`, "true"); t.Failed() {
			t.Fatalf("%s: %s", chosen, p.eval(tally))
		}
		p.run(chromedp.Click(`button[type=reset]`, chromedp.ByQuery))
	}
	p.want(`[...document.querySelectorAll(".age b")].reduce((n, b) => n + Number(b.textContent), 0)`, fmt.Sprint(dated))
	p.run(chromedp.Click(`[data-sort=since]`, chromedp.ByQuery))
	p.want(`document.querySelector("#rows .row td:last-child").textContent.includes("d")`, "true")
	p.run(chromedp.Click(`[data-sort=phase]`, chromedp.ByQuery))

	t.Log("a release unfolds to what why says")
	p.run(chromedp.Click(`#rows .row:first-child button`, chromedp.ByQuery), chromedp.WaitVisible(`#rows .detail .said`, chromedp.ByQuery))
	name := strings.TrimPrefix(p.eval(`document.querySelector("#rows .row button").textContent`), "apps/")
	said := p.eval(`document.querySelector(".detail .state").textContent + " " + [...document.querySelectorAll(".detail .said > *")].map((e) => [...e.childNodes].map((n) => n.textContent).join(" ")).join(" ")`)
	why, _, _ := strings.Cut(flux(t, "why", name, "-f", states), "\njudged by")
	if strings.Join(strings.Fields(why), " ") != strings.Join(strings.Fields(said), " ") {
		t.Errorf("the page says\n%s\nand why says\n%s", said, why)
	}
	for _, colours := range []string{"light", "dark"} {
		p.run(scheme(colours), chromedp.Evaluate(`scrollTo(0, 0)`, nil))
		p.shot("audit-"+colours, false)
		p.run(chromedp.ScrollIntoView("#filters", chromedp.ByQuery), chromedp.Evaluate(`document.querySelector(".row.open").scrollIntoView()`, nil))
		p.shot("audit-open-"+colours, false)
	}
	p.everywhere("unfolded")
	p.shot("audit-phone-open", false)
	p.run(chromedp.Evaluate(`scrollTo(0, 0)`, nil))
	p.shot("audit-phone", false)
}

func TestAccessibleAudit(t *testing.T) {
	p, _ := audit(t, 3, 25, func(_, n int, r map[string]any) {
		if n == 3 {
			r["rivals"] = []any{map[string]any{"namespace": "apps", "name": "other"}}
		}
	})
	p.everywhere("as it opens")
}

// TestAuditOfMany: 10,000 releases, no two of which say the same, are one small page.
func TestAuditOfMany(t *testing.T) {
	p, size := audit(t, 300, 34, func(c, n int, r map[string]any) {
		if r["after"] != nil {
			r["after"] = fmt.Sprintf("%s %d-%d", r["after"], c*7919, n*104729)
		}
	})
	if t.Logf("%d bytes", size); size > 2<<20 {
		t.Errorf("the page has %d bytes", size)
	}
	p.want(tally, "10,200")
	p.want(rows+" <= 200", "true")
	p.want(`document.querySelectorAll("main *").length < 10000`, "true")
	p.shot("audit-many", false)
	p.run(chromedp.SendKeys(`input[name=q]`, "prod-077", chromedp.ByQuery))
	p.want(tally, "34 of 10,200 releases")
}

func TestHostileAudit(t *testing.T) {
	const evil = `</script><script>document.title="owned"</script><img src=x onerror=document.title="owned">`
	p, _ := audit(t, 2, 25, func(_, _ int, r map[string]any) {
		for _, field := range []string{"name", "namespace", "cluster", "state", "after", "chart", "source", "appliedBy", "limit", "pending"} {
			r[field] = evil
		}
		r["why"] = []any{map[string]any{"label": evil, "text": evil, "effect": evil}}
		r["findings"] = []any{map[string]any{"rule": evil, "category": evil, "severity": "error", "message": evil, "path": evil}}
	})
	p.run(chromedp.Click(`#rows .row button`, chromedp.ByQuery), chromedp.WaitVisible(`#rows .detail`, chromedp.ByQuery))
	p.want(`document.title.startsWith("Flux Remedy")`, "true")
	p.want(`document.querySelectorAll("img, main script, iframe").length`, "0")
	p.want(`document.querySelector("#rows .row").textContent.includes("<script>")`, "true")
}
