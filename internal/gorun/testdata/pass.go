// run

package main

func main() { println("well", 3) }
