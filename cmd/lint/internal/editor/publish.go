package editor

import (
	"context"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

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
