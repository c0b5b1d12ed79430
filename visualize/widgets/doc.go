// Package widgets has what a user moves: sliders, boxes to tick, buttons, and what moves by itself, a progress bar.
//
//	s := widgets.IntSlider(3, 0, 10)
//	s.OnChange(func(v int) { fmt.Println("now", v) })
//	s
//
// In a notebook whose front end has ipywidgets' half in JavaScript (JupyterLab, Notebook, VS Code), a widget that a
// cell ends with is a live control. Where that is missing it is a line of HTML that follows what the program does,
// and in a terminal a line of text. A widget is also just a value: Value reads it and Set changes it, in any front
// end and with none.
//
//   - [IntSlider], [FloatSlider], [Checkbox], [Dropdown], [Text], [Button]: controls.
//   - [Label], [HTML], [IntProgress], [Output]: what a program writes to.
//   - [HBox], [VBox]: side by side, and one below the other.
//   - [Interact]: runs a function again whenever one of the controls made for its parameters moves.
//   - [Progress]: a loop with a bar.
//
// # When functions run
//
// What a user does to a control is handled between cells, in order, as ipykernel does: while a cell runs, changes
// wait, and Value gives what it gave before. So functions given to OnChange and OnClick never run at the same time as
// a cell or as each other, may touch the session's variables, are interrupted like a cell, and a panic out of one is
// shown as an error under the cell that made the widget, where also goes what they print and show. They are called
// too when the program itself changes the value with Set, at once, by the goroutine that does it.
//
// # Front ends
//
// Three generations of ipywidgets are spoken to: 8 (modules @jupyter-widgets/controls 2.0.0), 7 (1.5.0), and 6
// (jupyter-js-widgets). 8 and 6 are told apart by what their front ends say first; 7 says nothing of the kind, so
// there the environment variable GOTORCH_WIDGETS is set to 7. Without a sign it is 8.
package widgets
