// Package sandbox renders the templates of ResourceSets. They are the only code of a
// tree that runs, and it may loop, call itself or ask for any amount of memory, which
// ends a Go process. So it runs in a process of its own, which is this program again:
//
//   - A [Worker] starts it when the first template is there, keeps it for all others,
//     and kills it when it takes too long or too much. What it was given then fails,
//     with a reason.
//   - [Serve] is the other side. It has no environment, and a limit of memory that the
//     kernel keeps where it can.
//   - [Render] is what it does.
package sandbox
