// Package runs shows what happened while a function ran.
//
//   - trace*.go: [TraceFunc], the path of each call through the dispatcher: trace_record.go records into
//     trace_slab.go's memory, trace_write.go makes the [Trace]; trace_event.go and trace_page.go are files and pages,
//     trace_chrome.go is for Perfetto.
//   - flame*.go: [Flame], where the time went; flame_flops.go counts arithmetic, flame_peak.go measures the machine.
//   - memory*.go: [Memory], live bytes after each call; memory_watch.go follows storages.
//   - rng*.go: [RNG], generators and what was drawn from them.
//   - device*.go: [Devices], what a device is and how fast the CPU is.
//   - clock.go: the clock of all of them, and durations as text.
package runs
