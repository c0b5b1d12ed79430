// run

//go:build plan9 && !linux

package main

func main() {}
