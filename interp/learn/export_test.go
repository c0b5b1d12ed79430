package learn

// Needed is the function of the first exercise that later steps use, "" where there is none.
func (l *Lesson) Needed() string {
	for i, s := range l.Steps {
		if s.Kind == Task && l.needs(s.Exercise.Name, i+1) {
			return s.Exercise.Name
		}
	}
	return ""
}
