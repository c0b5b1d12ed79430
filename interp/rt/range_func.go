package rt

// BodyCalled panics when an iterator calls the body of a range loop that has ended, as compiled Go does. state is 2
// once the iterator has returned. flag is nonzero once the body has ended the loop.
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
