// Package editor serves editors while somebody types, as a server of the language server protocol.
//
//  1. A [Server] answers the client (server.go, messages.go). Documents are what the editor holds
//     (documents.go, text.go): their content takes the place of the files'.
//  2. After each change, and when something is asked, the tree around the document is looked at
//     as it would be if everything was saved: a [View]. One is kept as long as nothing changes
//     (documents.go).
//  3. Of a View are made: the diagnostics of the documents, the edits for what is found at a line,
//     what decides the setting at a position, and where that stands (diagnostics.go, actions.go,
//     setting.go).
//
// The protocol counts characters in UTF-16, from 0; all other packages count characters from 1.
package editor
