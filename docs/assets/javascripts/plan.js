/* A plan: keeps what it is narrowed to in the address and what is done in this browser, and shows of the page what
   concerns the machine. The plan itself is in the page: nothing here decides what belongs into it. */

import { add, addButton, at, put, quoted } from "./finder/writing.js"
import { MACHINE, Pasted } from "./plan/machine.js"
import { concerns, isCertain } from "./plan/match.js"
import { canTake, lackingIn, missingFor, needsIn, verdictsOn } from "./plan/needs.js"
import { fitted, nothing, numberIn, read, write } from "./plan/state.js"
import { markdownOf, taskList } from "./plan/tasks.js"
import { Ticks } from "./plan/ticks.js"
import { drawVerdicts } from "./plan/verdicts.js"
import { wordsIn } from "./plan/words.js"

const SHOWN_FOR = 2500
const MOST_TYPED = 40
const INSTALL = "install"
const counted = (number) => (number === 1 ? "1 step is" : `${number} steps are`)
const isSame = (one, other) => one.length === other.length && one.every((id, place) => id === other[place])

class Plan extends HTMLElement {
  #known
  #implied
  #words
  #legends
  #machine
  #isDoneHidden = false
  #steps
  #others
  #options
  #needs
  #startNeeds
  #ticks
  #notes = []
  #carried = null
  #pasted = new Pasted()
  /** Field whose text is no version number: it stays, to be mended. */
  #wrong = null
  #leaving = null
  #said = 0

  connectedCallback() {
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    const on = (target, type, act) => target.addEventListener(type, act, { signal })
    this.#know()
    on(this.#form, "change", (event) => this.#chosen(event))
    on(this.#form, "submit", (event) => event.preventDefault())
    on(at(this, "clear"), "click", () => this.#clear())
    on(at(this, "hide-done"), "change", (event) => this.#hide(event.target.checked))
    on(at(this, "copy"), "click", (event) => this.#copy(event.currentTarget, this.#link([])))
    on(at(this, "copy-ticks"), "click", (event) => this.#copy(event.currentTarget, this.#link(this.#ticks.done)))
    on(at(this, "export"), "click", (event) => this.#copy(event.currentTarget, this.#tasks))
    on(at(this, "print"), "click", () => window.print())
    on(at(this, "untick"), "click", () => this.#askToUntick())
    on(at(this, "yes"), "click", () => this.#untick())
    on(at(this, "no"), "click", () => at(this, "dialog").close())
    for (const step of this.#steps) on(step.box, "change", () => this.#tick(step))
    on(window, "popstate", () => this.#readAddress())
    on(window, "hashchange", () => this.#showTarget())
    on(window, "storage", (event) => this.#ticks.isAbout(event) && this.#reload())
    on(document, MACHINE, (event) => this.#hear(event.detail))
    this.#unfoldForPrint(on)
    this.#readAddress()
    this.dataset.ready = ""
    this.#showTarget()
  }

  disconnectedCallback() {
    this.#leaving?.abort()
  }

  // ---- What the page holds ----------------------------------------------------------------------------------

  get #form() {
    return at(this, "narrow")
  }

  #know() {
    const fields = [...this.#form.elements].filter((one) => one.name)
    const lists = new Map()
    this.#implied = new Map()
    for (const box of fields.filter((one) => one.type === "checkbox")) {
      lists.set(box.name, [...(lists.get(box.name) ?? []), box.value])
      if (box.dataset.implies) this.#implied.set(box.value, box.dataset.implies.split(" "))
    }
    const selects = fields.filter((one) => one.options)
    const choices = new Map(selects.map((one) => [one.name, [...one.options].map((option) => option.value).filter(Boolean)]))
    const typed = fields.filter((one) => !one.options && one.type !== "checkbox")
    const numbers = new Map(typed.map((one) => [one.name, new RegExp(`^(?:${one.pattern})$`)]))
    this.#known = { lists: new Map([["hardware", []], ["uses", []], ...lists]), choices, numbers }
    this.#words = wordsIn(this)
    this.#legends = new Map(
      [...this.#form.querySelectorAll("[data-legend]")].map((one) => [one.parentElement.querySelector("[name]").name, one.textContent]),
    )
    this.#steps = [...document.querySelectorAll("[data-step]")].map((element) => ({
      element,
      id: element.dataset.step,
      box: element.querySelector("[data-tick]"),
      isMeant: true,
    }))
    this.#others = [...document.querySelectorAll("[data-gain], [data-aside]")]
    this.#options = [...document.querySelectorAll("[data-build-option]")].map((element) => ({
      element,
      build: element.dataset.buildOption,
      platforms: element.dataset.platforms.split(" "),
      hardware: element.dataset.for.split(" "),
    }))
    const needs = new Map([...document.querySelectorAll("[data-needs]")].map((one) => [one.dataset.needs, needsIn(one)]))
    this.#needs = needs.get(this.dataset.target)
    this.#startNeeds = needs.get(this.dataset.start)
    this.#ticks = new Ticks(this.dataset.plan, this.#steps.map((step) => step.id))
  }

  // ---- State ------------------------------------------------------------------------------------------------

  #readAddress() {
    const { machine, unknown, isDoneHidden, done } = read(new URLSearchParams(location.search), this.#known)
    this.#machine = machine
    this.#pasted.drop()
    this.#wrong = null
    this.#isDoneHidden = isDoneHidden
    this.#notes = unknown.map(({ name, value }) => `${name}=${value} is not known here and was ignored.`)
    this.#carry(done)
    this.#fill()
    this.#draw()
  }

  /** Ticks that a link carries: taken where there are none; where there are others, a person chooses. */
  #carry(done) {
    this.#carried = null
    const carried = this.#ticks.known.filter((id) => done?.includes(id))
    if (carried.length && !this.#ticks.done.length) this.#ticks.replace(carried)
    else if (carried.length && !isSame(carried, this.#ticks.done)) this.#carried = carried
    // What is kept now must not come back by a reload when it is unticked meanwhile.
    if (done) this.#write({ isStep: false })
  }

  #take(ids) {
    if (ids) this.#ticks.replace(ids)
    this.#carried = null
    this.#write({ isStep: false })
    this.#draw()
    at(this, "hide-done").focus()
  }

  #write({ isStep = true } = {}) {
    // A link's ticks stay in the address until somebody has chosen, and where the browser keeps none.
    const done = this.#carried ?? (this.#ticks.isKept ? [] : this.#ticks.done)
    const query = write({ machine: this.#machine, isDoneHidden: this.#isDoneHidden }, this.#known, done)
    const address = `${location.pathname}${query ? `?${query}` : ""}${location.hash}`
    if (address === location.pathname + location.search + location.hash) return
    if (isStep) history.pushState(null, "", address)
    else history.replaceState(null, "", address)
  }

  #change(machine, notes = []) {
    this.#machine = machine
    this.#notes = notes
    this.#write()
    this.#fill()
    this.#draw()
  }

  /** Somebody chose something in the form. */
  #chosen({ target }) {
    const { name } = target
    const machine = { ...this.#machine }
    this.#pasted.drop()
    if (this.#known.lists.has(name)) {
      const boxes = [...this.#form.querySelectorAll(`[name="${name}"]`)]
      machine[name] = boxes.filter((box) => box.checked).map((box) => box.value)
    } else if (this.#known.numbers.has(name)) {
      machine[name] = numberIn(target.value, name, this.#known)
      if (target.value.trim() && !machine[name]) {
        this.#wrong = target
        this.#notes = [`${quoted(target.value, MOST_TYPED)} is no version number: write it like ${target.placeholder}.`]
        this.#fill()
        this.#draw()
        return
      }
      if (this.#wrong === target) this.#wrong = null
    } else machine[name] = target.value
    this.#change(machine)
  }

  /** Somebody pasted what a machine says of itself, or wants it forgotten. */
  #hear(told) {
    this.#wrong = null
    // What is not on offer, such as the build of an old version, is said among the verdicts.
    this.#change(told ? fitted(this.#pasted.take(this.#machine, told), this.#known).machine : this.#pasted.forget(this.#machine))
  }

  #clear() {
    this.#pasted.drop()
    this.#wrong = null
    this.#change(nothing(this.#known))
    at(this, "narrow-fold").querySelector("summary").focus()
  }

  #hide(isHidden) {
    this.#isDoneHidden = isHidden
    this.#write({ isStep: false })
    this.#draw()
  }

  // ---- Ticks ------------------------------------------------------------------------------------------------

  #tick(step) {
    this.#ticks.set(step.id, step.box.checked)
    const place = this.#steps.indexOf(step)
    const isThere = (one) => !one.element.hidden
    const next = this.#steps.slice(place + 1).find(isThere) ?? this.#steps.slice(0, place).findLast(isThere)
    // Where the browser keeps nothing, the address does.
    if (!this.#ticks.isKept) this.#write({ isStep: false })
    this.#draw()
    // What is hidden under the hand hands the focus on.
    if (step.element.hidden) (next?.box ?? at(this, "hide-done")).focus()
  }

  #reload() {
    this.#ticks.load()
    this.#draw()
  }

  #askToUntick() {
    const { length } = this.#ticks.done
    put(at(this, "dialog-title"), `Clear ${length} ${length === 1 ? "tick" : "ticks"} of this plan? This cannot be undone.`)
    at(this, "dialog-text").hidden = true
    at(this, "yes").hidden = false
    put(at(this, "no"), "Cancel")
    at(this, "dialog").showModal()
  }

  #untick() {
    this.#ticks.replace([])
    at(this, "dialog").close()
    this.#draw()
    at(this, "hide-done").focus()
  }

  /** Show the step that the address names, when it is hidden because it is done. */
  #showTarget() {
    const title = document.getElementById(location.hash.slice(1))
    const step = title && this.#steps.find(({ element }) => element.contains(title))
    if (!step?.element.hidden) return
    if (step.isMeant) this.#hide(false)
    else {
      this.#notes = ["The step that the link names does not concern what you chose. Show all to see it."]
      this.#draw()
    }
    title.scrollIntoView()
  }

  // ---- To take along ----------------------------------------------------------------------------------------

  #link(done) {
    const query = write({ machine: this.#machine, isDoneHidden: this.#isDoneHidden }, this.#known, done)
    return new URL(`${location.pathname}${query ? `?${query}` : ""}`, location.href).href
  }

  get #tasks() {
    const phases = new Map()
    for (const { element, box, isMeant } of this.#steps) {
      if (!isMeant) continue
      const title = this.#phaseOf(element)
      if (!phases.has(title)) phases.set(title, { title, tasks: [] })
      const name = element.querySelector("[data-title]")
      phases.get(title).tasks.push({
        title: markdownOf(name),
        url: name.href ?? "",
        action: element.querySelector("[data-action]").textContent,
        isDone: box.checked,
        todo: [...element.querySelectorAll("[data-todo] > li")].map(markdownOf),
      })
    }
    const machine = this.#filters.map((one) => one.text).join(", ")
    const title = `PyTorch ${this.dataset.startVersion} → ${this.dataset.targetVersion}${machine ? ` (${machine})` : ""}`
    const query = write({ machine: this.#machine, isDoneHidden: false }, this.#known)
    const address = new URL(`${location.pathname}${query ? `?${query}` : ""}`, location.href).href
    return taskList(title, address, [...phases.values()])
  }

  #phaseOf(element) {
    return element.closest("[data-phase]").dataset.phase
  }

  async #copy(button, text) {
    button.dataset.before ??= button.textContent
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      this.#show(text)
      return
    }
    button.textContent = "Copied"
    put(at(this, "said"), "Copied")
    clearTimeout(this.#said)
    this.#said = setTimeout(() => {
      for (const one of this.querySelectorAll("[data-before]")) one.textContent = one.dataset.before
      put(at(this, "said"), "")
    }, SHOWN_FOR)
  }

  /** Where the browser lets nobody copy, a person can. */
  #show(text) {
    put(at(this, "dialog-title"), "This browser does not let the page copy. Copy it from here:")
    const place = at(this, "dialog-text")
    place.hidden = false
    put(place, text)
    at(this, "yes").hidden = true
    put(at(this, "no"), "Close")
    at(this, "dialog").showModal()
    getSelection().selectAllChildren(place)
  }

  #unfoldForPrint(on) {
    let folded = []
    on(window, "beforeprint", () => {
      folded = this.#steps.flatMap(({ element }) => [...element.querySelectorAll("details:not([open])")])
      for (const one of folded) one.open = true
    })
    on(window, "afterprint", () => {
      for (const one of folded) one.open = false
    })
  }

  // ---- Drawing ----------------------------------------------------------------------------------------------

  /** Make the form show what is chosen. */
  #fill() {
    for (const field of this.#form.elements) {
      if (!field.name) continue
      if (field.type === "checkbox") {
        const isChosen = this.#machine[field.name].includes(field.value)
        if (isChosen && !field.checked) {
          for (let around = field.closest("ul details"); around; around = around.parentElement.closest("ul details")) around.open = true
        }
        field.checked = isChosen
      } else {
        if (field !== this.#wrong) field.value = this.#machine[field.name]
        if (field === this.#wrong) field.setAttribute("aria-invalid", "true")
        else field.removeAttribute("aria-invalid")
      }
    }
  }

  #draw() {
    const isMeant = (element) => concerns(element.dataset, this.#machine, this.#implied)
    for (const step of this.#steps) {
      step.isMeant = isMeant(step.element)
      step.box.checked = this.#ticks.has(step.id)
      step.element.hidden = !step.isMeant || (this.#isDoneHidden && step.box.checked)
      step.element.classList.toggle("tn-step--done", step.box.checked)
    }
    for (const element of this.#others) element.hidden = !isMeant(element)
    for (const { element, id, box, isMeant: isShown } of this.#steps) {
      const due = document.querySelector(`[data-due-of="${id}"]`)
      if (!due) continue
      due.hidden = !isShown || element.hidden
      due.classList.toggle("tn-due__done", box.checked)
    }
    for (const group of document.querySelectorAll("[data-group]")) {
      group.hidden = [...group.querySelectorAll("[data-aside]")].every((one) => one.hidden)
      const otherwise = group.nextElementSibling
      if (otherwise?.matches("[data-otherwise]")) otherwise.hidden = !group.hidden
    }
    for (const option of this.#options) option.element.hidden = !canTake(this.#needs, this.#machine, option)
    document.querySelector("[data-no-build]").hidden = this.#options.some((option) => !option.element.hidden)
    for (const phase of document.querySelectorAll("[data-phase]")) {
      const items = [...phase.querySelectorAll("[data-step], [data-gain]")]
      const place = at(phase, "nothing")
      if (place && items.length) place.hidden = items.some((one) => !one.hidden)
    }
    at(this, "hide-done").checked = this.#isDoneHidden
    this.#drawProgress()
    this.#drawChips()
    this.#drawNotes()
    this.#drawVerdicts()
  }

  #drawProgress() {
    const meant = this.#steps.filter((step) => step.isMeant)
    const done = meant.filter((step) => step.box.checked).length
    const progress = at(this, "progress")
    progress.max = Math.max(1, meant.length)
    progress.value = done
    const of = meant.length < this.#steps.length ? ` of ${this.#steps.length}` : ""
    put(at(this, "status"), `${done} of ${meant.length} done; ${meant.length}${of} steps shown`)
    this.#drawLead(meant)
    at(this, "untick").disabled = !this.#ticks.done.length
    at(this, "copy-ticks").disabled = !this.#ticks.done.length
  }

  /** How much is required of what is shown; the page's own sentence where all of it is. */
  #drawLead(meant) {
    const place = document.querySelector("[data-lead]")
    const whole = (place.dataset.whole ??= place.textContent)
    const due = meant.filter(({ id, element }) => element.dataset.due === "required" && id !== INSTALL)
    const silent = due.filter(({ element }) => element.querySelector(".tn-silent")).length
    const isAll = meant.length === this.#steps.length
    put(place, isAll ? whole : `For what you chose, ${counted(due.length)} required${silent ? `; ${silent} of these without a message` : ""}`)
  }

  get #filters() {
    const filters = []
    for (const [name, value] of Object.entries(this.#machine)) {
      if (Array.isArray(value)) {
        for (const one of value) filters.push({ text: this.#label(name, one), without: { [name]: value.filter((other) => other !== one) } })
      } else if (value) filters.push({ text: `${this.#legends.get(name)}: ${this.#words(name, value)}`, without: { [name]: "" } })
    }
    return filters
  }

  #label(name, value) {
    const box = this.#form.querySelector(`[name="${name}"][value="${CSS.escape(value)}"]`)
    return box.closest("label").querySelector("[data-label]").textContent
  }

  #drawChips() {
    const filters = this.#filters
    const chips = at(this, "chips")
    // What stays as it is keeps the focus that it may have.
    if (isSame(filters.map((one) => one.text), [...chips.children].map((one) => one.textContent))) return
    at(this, "chosen-line").hidden = !filters.length
    put(at(this, "chosen"), filters.length ? `${filters.length} chosen` : "")
    chips.replaceChildren()
    filters.forEach(({ text, without }, place) => {
      const button = addButton(add(chips, "li"), text, () => {
        this.#pasted.drop()
        this.#change({ ...this.#machine, ...without })
        const rest = [...chips.querySelectorAll("button")]
        ;(rest[place] ?? rest.at(-1) ?? at(this, "narrow-fold").querySelector("summary")).focus()
      }, "tn-chip tn-chip--drop")
      button.setAttribute("aria-label", `Drop ${text}`)
    })
  }

  #drawNotes() {
    const place = at(this, "note")
    const notes = [...this.#notes, ...this.#notesOnVersion()]
    if (!this.#ticks.isKept) notes.push("This browser keeps nothing for this page: your ticks are in its address alone. Copy the link with ticks.")
    const said = JSON.stringify([notes, this.#otherWay, this.#carried, this.#carried && this.#ticks.done])
    // The same is not announced again, and keeps its focus.
    if (place.dataset.said === said) return
    place.dataset.said = said
    place.hidden = !notes.length && !this.#carried && !this.#otherWay
    place.replaceChildren()
    for (const note of notes) add(place, "p", note)
    if (this.#otherWay) {
      const line = add(place, "p", `You have ${this.#pasted.told.version}. `)
      add(line, "a", `Show the plan from ${this.#pasted.told.version}`).href = this.#otherWay
    }
    if (!this.#carried) return
    const line = add(place, "p", `The link has other ticks (${this.#carried.length}) than this browser (${this.#ticks.done.length}). `)
    addButton(line, "Take those of the link", () => this.#take(this.#carried))
    line.append(" ")
    addButton(line, "Keep mine", () => this.#take(null))
  }

  #notesOnVersion() {
    const { version, isNightly } = this.#pasted.told ?? {}
    if (isNightly) return [`You have a nightly build of ${version}: no plan describes it exactly.`]
    if (!version || version === this.dataset.startVersion || this.#otherWay) return []
    return [`You have ${version}: this plan begins at ${this.dataset.startVersion}.`]
  }

  /** The plan from the version that was read, where there is one and it is another. */
  get #otherWay() {
    const { version } = this.#pasted.told ?? {}
    const way = `${version}-to-${this.dataset.targetVersion}`
    if (!version || way === this.dataset.plan || !this.dataset.pairs.split(" ").includes(way)) return null
    const query = write({ machine: this.#machine, isDoneHidden: this.#isDoneHidden }, this.#known)
    return new URL(`../${way}/${query ? `?${query}` : ""}`, location.href).href
  }

  #drawVerdicts() {
    // Of the list, what the machine says of itself; what one uses stops nothing.
    const isAsked = Object.entries(this.#machine).some(([name, value]) => name !== "uses" && name !== "devices" && value.length)
    const machine = { ...this.#machine, build: this.#machine.build || (this.#pasted.told?.build ?? "") }
    const { startVersion, targetVersion } = this.dataset
    const verdicts = verdictsOn(this.#needs, targetVersion, machine, this.#words)
    const isStopped = verdicts.some((one) => one.isStop)
    const version = this.#pasted.told?.version ?? ""
    const lacking = lackingIn(this.#startNeeds, version && version !== startVersion ? "" : startVersion, machine, this.#words)
    drawVerdicts(at(this, "verdicts"), {
      isAsked,
      verdicts: [...verdicts, ...lacking],
      missing: missingFor(this.#needs, machine),
      says: "More:",
      ways: isStopped ? [...this.#stepsAbout(machine), { text: "which version fits this machine", url: this.#choice }] : [],
    })
  }

  /** Steps about the machine that it is known to be concerned by. */
  #stepsAbout(machine) {
    return this.#steps
      .filter(({ element, isMeant }) => isMeant && !element.hidden && element.matches("[data-can] *") && isCertain(element.dataset, machine))
      .map(({ element, id }) => ({ text: element.querySelector("[data-title]").textContent, url: `#step-${id}` }))
  }

  /** The page on which one chooses an upgrade, with this machine. */
  get #choice() {
    const query = write({ machine: { ...this.#machine, uses: [] }, isDoneHidden: false }, this.#known)
    return new URL(`../?${query}&from=${this.dataset.startVersion}`, location.href).href
  }
}

customElements.define("tn-plan", Plan)
