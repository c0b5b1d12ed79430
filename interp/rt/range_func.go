package rt

// BodyCalled panics where an iterator function calls the loop's body when it must not, as compiled Go does. state is 2
// when the loop is over; flag is not 0 when the body has left the loop.
func BodyCalled(state, flag int) {
	const why = "runtime error: range function continued iteration after "
	switch {
	case state == 2:
		panic(Fault(why + "whole loop exit"))
	case flag != 0:
		panic(Fault(why + "function for loop body returned false"))
	}
	panic(Fault(why + "loop body panic"))
}

// BodyLost panics where a function that is ranged over has recovered a panic of the loop's body and returned.
func BodyLost() {
	panic(Fault("runtime error: range function recovered a loop body panic and did not resume panicking"))
}
