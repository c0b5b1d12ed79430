package draw

import "sync/atomic"

var terminalWidth atomic.Int32

// SetTextWidth sets the number of columns of the terminal that shows the text of views: maps of storages, plots and
// images keep to it. Wider than 100 no view becomes, nor narrower than 30; 0 stands for a text that is not for a
// terminal.
func SetTextWidth(columns int) { terminalWidth.Store(int32(max(columns, 0))) }

// TextWidth is how many columns a text may take, at most most.
func TextWidth(most int) int {
	if n := int(terminalWidth.Load()); n > 0 {
		return min(max(n, 30), most)
	}
	return most
}

// TextColumns is how many columns a plot takes, without its axis.
func TextColumns() int { return TextWidth(64+marginColumns) - marginColumns }

// marginColumns is the width of a plot's numbers, left of the axis and beyond its end.
const marginColumns = 14
