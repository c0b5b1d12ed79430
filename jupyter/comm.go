package jupyter

// commInfo lists the open comms. There are none yet: every target is unknown.
func (k *kernel) commInfo(*request) (map[string]any, error) {
	return map[string]any{"comms": map[string]any{}}, nil
}

// comm takes comm_open, comm_msg and comm_close, none of which is answered by a reply. A comm of an
// unknown target is closed at once.
func (k *kernel) comm(r *request) {
	var q struct {
		ID     string `json:"comm_id"`
		Target string `json:"target_name"`
	}
	if err := r.read(&q); err != nil {
		k.log.Printf("%s: %v", r.from.name, err)
		return
	}
	if r.header.Type == "comm_open" {
		k.log.Printf("comm target %q is not known", q.Target)
		k.pub.send(r.message, "comm_close", map[string]any{"comm_id": q.ID, "data": map[string]any{}}, nil)
	}
}
