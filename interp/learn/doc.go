// Package learn has the lessons, and the tutor that leads a learner through them.
//
//	lesson.go            what a lesson is
//	parse.go             a lesson's file; parse_blocks.go: questions and exercises in it
//	library.go           the lessons that the program carries, and their order
//	glossary.go          the words that lessons use, each in two sentences
//	ideas.go             the ideas that are taught, and where; the page of the glossary
//	examples.go          the page that lists all notebooks
//	essay.go             the claims of a page that goes through an essay, and the cells that show them
//	words.go             whether a lesson uses a word before it is explained
//	prose.go             the text of a lesson in a terminal and in a notebook
//	tutor.go             a learner's way through a lesson
//	tutor_commands.go    %learn and what it takes
//	tutor_exercises.go   %check, %hint, %solution, %skip and %answer
//	tutor_replay.go      what a lesson needs of the steps before
//	overview.go          the map of the courses
//	progress.go          what a learner has done, and the file that keeps it
//	exercise_code.go     the Go that calls a learner's function on a hidden case
//	outcome.go           what such a call ended with, and whether two are equal
//	judge.go             all cases of an exercise
//	difference.go        a case that failed, as a picture; difference_draw.go, difference_text.go
//	verify.go            whether a lesson does what it says
//	notebook.go          lessons and summaries as notebooks; pages.go: as pages
//
// A lesson is one Markdown file in lessons/COURSE; docs/teaching.md says how to write one.
package learn
