// Package limits ends a command that takes too long, uses too much memory or is
// asked to stop, whatever it is busy with.
//
// Go can stop no goroutine from outside, and neither kustomize nor a parser looks
// whether it is still wanted. So a [Watch] looks at the process from beside: it
// cancels the context of the command and, if the command has not ended shortly
// after, the process. What must not be left half done is undone before
// ([Watch.Guard]).
//
//	[Limits]   how much a command may use: --max-memory and --timeout
//	[Work]     what it is busy with, so that a message can name it
//	[Watch]    the clock, the memory and the signals
//	[Seal]     what the process cannot do at all
package limits
