package editor

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/sourcegraph/jsonrpc2"
)

// source is who says it.
const source = "flux-remedy"

// severities are the protocol's numbers.
var severities = map[rules.Severity]int{rules.Error: 1, rules.Warning: 2, rules.Info: 3}

// diagnostics returns what is to be said of a file.
func (s *session) diagnostics(v View, name string, of text) []diagnostic {
	out := []diagnostic{}
	for _, line := range v.Report.In(func(file string) bool { return sameFile(file, name) }).Lines() {
		if len(line.Findings) > 0 && !line.Severity.AtLeast(s.MinSeverity) {
			continue
		}
		d := diagnostic{Range: of.rest(max(1, line.Line), line.Column), Severity: severities[line.Severity], Source: source, Message: line.Message}
		if len(line.Findings) > 0 {
			s.found(&d, v, line.Findings)
		} else {
			d.Message = line.Head + ": " + d.Message
		}
		out = append(out, d)
	}
	return out
}

// found adds what is known of findings.
func (s *session) found(d *diagnostic, v View, all []report.Finding) {
	f := all[0]
	d.Code = f.Rule
	if page := v.Page(f.Rule); page != "" {
		d.About = &about{page}
	}
	if f.Forecast != nil && f.Forecast.Outcome.Summary != "" && !strings.Contains(d.Message, f.Forecast.Outcome.Summary) {
		d.Message += "\nforecast: " + f.Forecast.Scenario + ": " + f.Forecast.Outcome.Summary
	}
	for _, place := range f.Provenance {
		if place.File == "" || place.Line == 0 {
			continue
		}
		d.Related = append(d.Related, remark{s.place(place.File, place.Line, 0), place.What})
	}
}

func (s *session) place(file string, line, column int) location {
	of, uri := s.documents.textOf(file)
	return location{uri, of.rest(max(1, line), column)}
}

// failed is what a document shows if nothing is known of its folder.
func failed(of text, err error) []diagnostic {
	return []diagnostic{{Range: of.rest(1, 0), Severity: 1, Source: source, Message: "nothing is known of this folder: " + err.Error()}}
}

func sameFile(reported, name string) bool {
	abs, err := filepath.Abs(reported)
	return err == nil && abs == name
}

// quiet is how long nothing must be typed before the tree is looked at.
const quiet = 10 * time.Millisecond

// publish sends the diagnostics of all documents after each change: none for those that are closed. It alone
// sends any, so that what was found before a document was closed is not sent after that.
func (s *session) publish(ctx context.Context, conn *jsonrpc2.Conn) {
	shown := map[string]bool{}
	for {
		select {
		case <-s.changed:
		case <-conn.DisconnectNotify():
			return
		}
		for more := true; more; {
			select {
			case <-s.changed:
			case <-time.After(quiet):
				more = false
			}
		}
		held, _, _ := s.documents.held()
		before := shown
		shown = map[string]bool{}
		for _, documents := range held {
			for _, document := range documents {
				shown[document.uri] = true
			}
		}
		for uri := range before {
			if !shown[uri] {
				_ = conn.Notify(ctx, "textDocument/publishDiagnostics", published{URI: uri, Diagnostics: []diagnostic{}})
			}
		}
		for root, documents := range held {
			s.publishOf(ctx, conn, root, documents)
		}
	}
}

func (s *session) publishOf(ctx context.Context, conn *jsonrpc2.Conn, root string, of map[string]document) {
	var all []published
	err := s.views.with(ctx, &s.documents, root, func(v View) error {
		for name, document := range of {
			all = append(all, published{document.uri, document.version, s.diagnostics(v, name, document.text)})
		}
		return nil
	})
	if err != nil {
		for _, document := range of {
			all = append(all, published{document.uri, document.version, failed(document.text, err)})
		}
	}
	for _, p := range all {
		_ = conn.Notify(ctx, "textDocument/publishDiagnostics", p)
	}
}
