// Links the views of gotorch on a page. What shows the same bytes of a storage, or comes from the same line of code,
// is lit together; large pictures zoom. Pictures are images until this replaces them by what they hold, so that a page
// without it, or a notebook that nobody trusts, shows the same and stands still.
(() => {
  "use strict"
  if (window.gotorchViews) return window.gotorchViews()
  const doc = document, lit = "gotorch-lit", source = "data:image/svg+xml;base64,"
  const make = (name, parent, set) => parent.appendChild(Object.assign(doc.createElement(name), set))
  const all = (selector, within = doc) => [...within.querySelectorAll(selector)]
  make("style", doc.head, {textContent: `
.gotorch-live{display:inline-block;position:relative;max-width:100%;overflow:auto;vertical-align:top}
.gotorch-live text,.gotorch-live path{pointer-events:none}
.gotorch-live [data-l] text{pointer-events:auto}
.gotorch-live .red{fill:color-mix(in srgb,#d55e00 75%,currentColor)}
.gotorch-live svg:focus-visible{outline:2px solid #2280c0;outline-offset:-2px}
rect.${lit},g.${lit}>rect,g.${lit} .px{stroke:#e69f00!important;stroke-width:3!important;stroke-opacity:1!important}
g.${lit}:not(:has(>rect))>text{text-decoration:underline;text-decoration-color:#e69f00}
:not(rect,g,text).${lit},::highlight(gotorch){background-color:#e69f0066}
.gotorch-tools{position:sticky;left:0;height:0;text-align:right;opacity:0}
.gotorch-live:hover>.gotorch-tools,.gotorch-live:focus-within>.gotorch-tools{opacity:1}
.gotorch-tools>*{font:inherit;color:inherit;background:#8883;backdrop-filter:blur(6px);border:1px solid #8888;border-radius:3px;margin:2px}
.gotorch-tools>output{border:0;padding:0 4px}
.gotorch-tools>:empty{display:none}`})

  // Another output of the page may imitate a view: only what draws is taken over, and nothing that runs or loads.
  const drawn = /^(svg|g|rect|path|text|title|circle|line|image)$/
  const clean = e => {
    for (const a of [...e.attributes])
      if (/^on/i.test(a.name) || /url\(|script:/i.test(a.value) || /href/i.test(a.name) && !/^data:image\/png;/.test(a.value))
        e.removeAttribute(a.name)
    for (const c of [...e.children])
      if (!drawn.test(c.nodeName) || c.classList.contains("back") || c.nodeName == "title" && e.nodeName == "svg") c.remove()
      else clean(c)
    if (e.nodeName == "svg") e.setAttribute("fill", "currentColor"), e.removeAttribute("color")
  }

  const enliven = img => {
    const bytes = Uint8Array.from(atob(img.src.slice(source.length)), c => c.charCodeAt(0))
    const svg = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement
    if (svg.nodeName != "svg") return
    clean(svg)
    const fitting = img.style.cssText
    svg.style.cssText = fitting
    svg.setAttribute("tabindex", 0)
    const box = make("div", doc.createDocumentFragment(), {className: "gotorch-live"})
    const tools = make("div", box, {className: "gotorch-tools"})
    const says = make("output", tools)
    img.replaceWith(box)
    box.append(svg)
    const fit = () => { svg.style.cssText = fitting; box.style.maxHeight = "" }
    const zoom = (by, at) => {
      const was = svg.getBoundingClientRect(), view = box.getBoundingClientRect()
      const wide = Math.min(Math.max(was.width * by, 120), 12000)
      const x = at ? at.clientX : view.left + view.width / 2, y = at ? at.clientY : view.top
      svg.style.cssText = `width:${wide}px;max-width:none;height:auto`
      box.style.maxHeight = "90vh"
      box.scrollLeft += (x - was.left) * (wide / was.width - 1)
      box.scrollTop += (y - was.top) * (wide / was.width - 1)
    }
    const steps = {"+": () => zoom(1.25), "-": () => zoom(.8), 0: fit}
    if (img.width > 560 || svg.viewBox.baseVal.height > 400)
      for (const [key, name] of [["-", "smaller"], ["+", "larger"], [0, "fit"]])
        make("button", tools, {type: "button", title: name, ariaLabel: name, onclick: steps[key],
          textContent: ["−", "+", "fit"][["-", "+", 0].indexOf(key)]})
    box.addEventListener("wheel", e => { if (e.ctrlKey) e.preventDefault(), zoom(e.deltaY < 0 ? 1.15 : 1 / 1.15, e) },
      {passive: false})
    svg.ondblclick = fit
    let at = -1
    svg.onkeydown = e => {
      const marks = all("[data-b],[data-l]", svg), way = {ArrowRight: 1, ArrowLeft: -1}[e.key]
      if (steps[e.key == "=" ? "+" : e.key]) steps[e.key == "=" ? "+" : e.key]()
      else if (way && marks.length) {
        at = (at + way + marks.length) % marks.length
        light(marks[at])
        marks[at].scrollIntoView({block: "nearest", inline: "nearest"})
        says.value = (marks[at].querySelector("title") || marks[at]).textContent.split("\n")[0]
      } else return
      e.preventDefault()
      e.stopPropagation() // a notebook has keys of its own
    }
    svg.onblur = () => { says.value = ""; light() }
  }

  // The line of a cell, where a page shows cells: an editor has an element for each, a <pre> a text for all.
  const lineOf = (cell, line) => {
    for (const box of all(".code_cell,.jp-CodeCell")) {
      const prompt = box.querySelector(".input_prompt,.jp-InputPrompt")
      if (!prompt || (/\d+/.exec(prompt.textContent) || [])[0] != cell) continue
      const range = doc.createRange(), lines = all(".CodeMirror-line,.cm-line", box), pre = box.querySelector("pre")
      if (lines[line - 1]) range.selectNodeContents(lines[line - 1])
      if (lines.length || !pre) return range
      range.selectNodeContents(pre)
      const walk = doc.createTreeWalker(pre, NodeFilter.SHOW_TEXT)
      for (let n = 1, node; node = walk.nextNode();)
        for (let i = 0; (i = node.data.indexOf("\n", i) + 1) > 0; n++) {
          if (n == line - 1) range.setStart(node, i)
          if (n == line) return range.setEnd(node, i - 1), range
        }
      return range
    }
  }

  // Numbers of storages and of cells begin anew with every session. A line of a page belongs to its only one.
  const run = e => { const view = e.closest(".gotorch-view"); return view && (view.dataset.run || "") }
  const light = mark => {
    for (const e of all("." + lit)) e.classList.remove(lit)
    window.CSS?.highlights?.delete("gotorch")
    for (let e = mark; e; e = e.parentElement?.closest("[data-b],[data-l]")) {
      const {b, l} = e.dataset, [storage, from, n] = (b || "").split(" ").map(Number)
      const same = b ? `[data-b^="${storage} "]` : `[data-l=${JSON.stringify(l)}]`
      for (const other of all(same)) {
        const [, at, m] = (other.dataset.b || "").split(" ").map(Number)
        if ((run(other) ?? run(e)) == (run(e) ?? run(other)) && (!b || at < from + n && from < at + m)) other.classList.add(lit)
      }
      const [, cell, line] = /^In\[(\d+)\]:(\d+)$/.exec(l) || []
      const range = line && lineOf(cell, +line)
      if (range && window.Highlight) CSS.highlights.set("gotorch", new Highlight(range))
    }
  }
  doc.addEventListener("pointerover", e => light(e.target.closest("[data-b],[data-l]")))

  let waiting
  window.gotorchViews = () => { waiting ||= setTimeout(() => {
    waiting = 0
    all(`.gotorch-view img[src^="${source}"]`).forEach(enliven)
  }, 50) }
  const begin = () => { gotorchViews(); new MutationObserver(gotorchViews).observe(doc.body, {childList: true, subtree: true}) }
  doc.body ? begin() : doc.addEventListener("DOMContentLoaded", begin)
})()
