package display

// Input asks for a line and gives it without its end: prompt stands before what is typed, as name, err :=
// display.Input("name? "). In a notebook that is a field below the cell. Where input is piped in, it is the next line
// of that. The error wraps io.EOF at the end of the input, and where nobody can be asked.
func Input(prompt string) (string, error) { return asks(prompt, false) }

// Password is [Input] for what nobody must see: it is not shown while it is typed, and kept in no history. What it
// gives is a text as any other: a cell that ends with the call shows it, one that ends with pw, err :=
// display.Password("password: ") does not.
func Password(prompt string) (string, error) { return asks(prompt, true) }

func asks(prompt string, secret bool) (string, error) { return CurrentHost().Ask(prompt, secret) }
