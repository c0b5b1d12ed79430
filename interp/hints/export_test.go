package hints

// Followed are the names of [paths] with the cells that follow what is said of them.
func Followed() (all [][2]string) {
	for _, p := range paths {
		all = append(all, [2]string{p.name, p.cell})
	}
	return all
}
