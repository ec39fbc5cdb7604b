package timeline

// Options say how forecasts are shown, where the format leaves it open.
type Options struct {
	// Color switches terminal colours on, Unicode symbols that are not ASCII.
	Color, Unicode bool
	// Width is that of the terminal in columns; zero wraps no lines.
	Width int
	// Brief shows one line a scenario instead of one a step.
	Brief bool
}
