package editor

// The parts of the protocol that are used: https://microsoft.github.io/language-server-protocol.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in UTF-16
}

type extent struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range extent `json:"range"`
}

type textDocument struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

// positioned are the parameters of what is asked about a position.
type positioned struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
}

type changed struct {
	TextDocument   textDocument `json:"textDocument"`
	ContentChanges []struct {
		Text string `json:"text"` // of the whole document
	} `json:"contentChanges"`
}

type asked struct {
	TextDocument textDocument `json:"textDocument"`
	Range        extent       `json:"range"`
}

type initialized struct {
	RootURI          string `json:"rootUri"`
	WorkspaceFolders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Capabilities struct {
		Workspace struct {
			Watches struct {
				Dynamic bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

type diagnostic struct {
	Range    extent   `json:"range"`
	Severity int      `json:"severity"`
	Code     string   `json:"code,omitempty"`
	About    *about   `json:"codeDescription,omitempty"`
	Source   string   `json:"source"`
	Message  string   `json:"message"`
	Related  []remark `json:"relatedInformation,omitempty"`
}

type about struct {
	Href string `json:"href"`
}

type remark struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type published struct {
	URI         string       `json:"uri"`
	Version     int          `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textEdit struct {
	Range   extent `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	Preferred   bool          `json:"isPreferred"`
	Edit        workspaceEdit `json:"edit"`
}

type hover struct {
	Contents markup `json:"contents"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// capabilities are what the server can do.
func capabilities(version string) map[string]any {
	return map[string]any{
		"capabilities": map[string]any{
			"textDocumentSync":   map[string]any{"openClose": true, "change": 1, "save": true}, // 1: whole documents
			"hoverProvider":      true,
			"definitionProvider": true,
			"codeActionProvider": map[string]any{"codeActionKinds": []string{"quickfix"}},
		},
		"serverInfo": map[string]any{"name": "flux-remedy", "version": version},
	}
}

// watched asks the client to tell of files that others change.
var watched = map[string]any{"registrations": []any{map[string]any{
	"id": "files", "method": "workspace/didChangeWatchedFiles",
	"registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": "**/*"}}},
}}}
