// errorcheck

package main

func main() { x := 1 } // ERROR "declared and not used"
