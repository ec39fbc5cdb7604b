package editor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Server is a server of the language server protocol for one client.
type Server struct {
	Version     string
	MinSeverity rules.Severity
	// Look returns what is known of a folder. It is called once at a time.
	Look func(context.Context, Place) (View, error)
}

// session is the server while it is connected.
type session struct {
	Server
	documents documents
	views     views
	changed   chan struct{} // holds a value after a change
	ended     bool          // the client has said that it ends
	able      bool          // the client can tell of files that others change
	watches   atomic.Bool   // it does
}

// Serve answers a client until it goes. It returns an error if the client has not said before that it would.
func (s Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	now := &session{Server: s, documents: documents{open: map[string]document{}}, changed: make(chan struct{}, 1)}
	now.views = views{look: s.Look, watches: &now.watches}
	stream := jsonrpc2.NewBufferedStream(pipe{in, out}, jsonrpc2.VSCodeObjectCodec{})
	conn := jsonrpc2.NewConn(ctx, stream, now, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	go now.publish(ctx, conn)
	select {
	case <-conn.DisconnectNotify():
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if !now.ended {
		return fmt.Errorf("the editor has gone, or what it sent is not of the language server protocol")
	}
	return nil
}

// pipe is what a client reads and writes.
type pipe struct {
	io.Reader
	io.Writer
}

func (pipe) Close() error { return nil }

// Handle takes a message. Notifications take effect at once, in their order. Requests are answered
// beside them, so that a slow answer holds up no typing; but initialize and shutdown come first.
func (s *session) Handle(ctx context.Context, conn *jsonrpc2.Conn, request *jsonrpc2.Request) {
	if request.Params == nil {
		request.Params = new(json.RawMessage)
		*request.Params = json.RawMessage("{}")
	}
	if request.Notif {
		s.take(request.Method, *request.Params, conn)
		return
	}
	answer := func() {
		response := &jsonrpc2.Response{ID: request.ID}
		result, err := s.answer(ctx, request.Method, *request.Params)
		if err == nil {
			err = response.SetResult(result)
		}
		if err != nil {
			response.Error = asError(err)
		}
		_ = conn.SendResponse(ctx, response) // a client that has gone asks no more
	}
	if request.Method == "initialize" || request.Method == "shutdown" {
		answer()
		return
	}
	go answer()
}

func asError(err error) *jsonrpc2.Error {
	if known, ok := err.(*jsonrpc2.Error); ok {
		return known
	}
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
}

// take takes what the client tells. What cannot be read is nothing.
func (s *session) take(method string, params json.RawMessage, conn *jsonrpc2.Conn) {
	switch method {
	case "textDocument/didOpen":
		var p positioned
		if json.Unmarshal(params, &p) == nil {
			s.documents.put(p.TextDocument)
		}
	case "textDocument/didChange":
		var p changed
		if json.Unmarshal(params, &p) == nil && len(p.ContentChanges) > 0 {
			p.TextDocument.Text = p.ContentChanges[len(p.ContentChanges)-1].Text
			s.documents.put(p.TextDocument)
		}
	case "textDocument/didClose":
		var p positioned
		if json.Unmarshal(params, &p) == nil {
			s.documents.drop(p.TextDocument.URI)
		}
	case "textDocument/didSave", "workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration":
		s.documents.touch()
	case "initialized":
		if s.able {
			go func() {
				s.watches.Store(conn.Call(context.Background(), "client/registerCapability", watched, nil) == nil)
			}()
		}
		return
	case "exit":
		_ = conn.Close()
		return
	default:
		return
	}
	select {
	case s.changed <- struct{}{}:
	default: // it is known
	}
}

// answer answers what the client asks.
func (s *session) answer(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "initialize":
		var p initialized
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, invalid(err)
		}
		s.documents.follow(p)
		s.able = p.Capabilities.Workspace.Watches.Dynamic
		return capabilities(s.Version), nil
	case "shutdown":
		s.ended = true
		return nil, nil
	case "textDocument/hover", "textDocument/definition":
		var p positioned
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, invalid(err)
		}
		return s.at(ctx, method, p)
	case "textDocument/codeAction":
		var p asked
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, invalid(err)
		}
		return s.about(ctx, p.TextDocument.URI, func(v View, name string) (any, error) { return s.actions(v, name, p.Range) })
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "this server has no method " + method}
}

func invalid(err error) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
}

// at answers what is asked about a position.
func (s *session) at(ctx context.Context, method string, p positioned) (any, error) {
	return s.about(ctx, p.TextDocument.URI, func(v View, name string) (any, error) {
		of, _ := s.documents.textOf(name)
		line, column := p.Position.Line+1, of.column(p.Position)
		if method == "textDocument/definition" {
			return s.definition(v, name, of, line, column), nil
		}
		if text := s.hover(v, name, of, line, column); text != "" {
			return hover{markup{"markdown", text}}, nil
		}
		return nil, nil
	})
}

// about answers what is asked about a file that is open; nothing about others.
func (s *session) about(ctx context.Context, uri string, do func(View, string) (any, error)) (result any, err error) {
	name, ok := nameOf(uri)
	if !ok || !s.documents.isOpen(name) {
		return nil, nil
	}
	err = s.views.with(ctx, &s.documents, s.documents.rootOf(name), func(v View) (err error) {
		result, err = do(v, name)
		return err
	})
	return result, err
}
