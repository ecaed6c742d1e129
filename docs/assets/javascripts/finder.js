/* The finder: keeps what the box and the facets ask for in the page's address, and has the page drawn from it.
   It holds no word of the domain: labels come from the page, everything else from the index. */

import { Choices } from "./finder/choices.js"
import { recognise } from "./finder/devices.js"
import { listFor } from "./finder/list.js"
import { drawChips, drawMachine, drawNotes, drawNothing, drawOffers, drawPages, drawStatus, filtersOf, notesOn } from "./finder/remarks.js"
import { Rows } from "./finder/rows.js"
import { asked, isUsual, read, usualSort, write } from "./finder/state.js"
import { openIndex } from "./finder/store.js"
import { at } from "./finder/writing.js"
import { ASKED } from "./search-box.js"

const MOST_NOTES = 5
const NARROW = "(max-width: 59.984375em)"
/** Where a keyboard would rise from the screen and cover the list. */
const TOUCH = "(pointer: coarse)"

class Finder extends HTMLElement {
  #index = null
  #state
  #choices
  #sorts
  #rows
  #drawing = 0
  #notes = []
  #failure = null
  #focusNext = null
  #leaving = null

  connectedCallback() {
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    const on = (target, type, act) => target.addEventListener(type, act, { signal })
    const sheet = at(this, "sheet")
    this.#choices = new Choices(at(this, "facets"))
    this.#sorts = [...at(this, "sort").options].map((option) => option.value)
    this.#rows = new Rows(this)
    this.#box.value ||= asked(new URLSearchParams(location.search).get("q") ?? "")
    on(at(this, "query"), "submit", (event) => this.#asked(event))
    on(this.#box, "input", () => this.#typed())
    on(at(this, "facets"), "change", () => this.#change({ chosen: this.#choices.chosen }))
    on(at(this, "facets"), "submit", (event) => event.preventDefault())
    on(at(this, "sort"), "change", (event) => this.#change({ sort: event.target.value }))
    on(at(this, "general"), "change", (event) => this.#change({ general: !event.target.checked }))
    on(at(this, "copy"), "click", (event) => this.#copy(event.currentTarget))
    on(at(this, "clear"), "click", () => this.#clear())
    on(at(this, "more"), "click", () => this.#more())
    on(at(this, "open"), "click", () => this.#openSheet())
    for (const one of this.querySelectorAll("[data-close]")) on(one, "click", () => sheet.close())
    on(sheet, "close", () => this.#closeSheet())
    on(sheet, "click", (event) => event.target === sheet && sheet.close())
    on(matchMedia(NARROW), "change", () => sheet.open && sheet.close())
    on(window, "popstate", () => this.#index && this.#readAddress())
    on(document, ASKED, (event) => this.#askedElsewhere(event))
    this.#open()
  }

  disconnectedCallback() {
    this.#leaving?.abort()
  }

  get #box() {
    return this.querySelector("input[name=q]")
  }

  // ---- The index: heads first, words after ------------------------------------------------------------------

  async #open() {
    this.#failure = null
    try {
      this.#index = await openIndex()
    } catch {
      this.#failed("The search could not be loaded, so the list below is not filtered.")
      return
    }
    // What somebody typed while the index was on its way counts.
    const typed = this.#box.value
    this.#readAddress()
    if (typed.trim() && typed.trim() !== this.#state.q) {
      this.#box.value = typed
      this.#typed()
    }
    this.dataset.ready = ""
    this.#loadWords()
  }

  async #loadWords() {
    this.#failure = null
    // The first list is not held up by them.
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    try {
      await this.#index.words
      this.#draw({ isKept: true })
    } catch {
      this.#failed("Only titles and identifiers are searched: the rest could not be loaded.")
    }
  }

  #failed(sentence) {
    this.#failure = sentence
    if (this.#index) this.#draw()
    else drawNotes(this, [], sentence, () => this.#retry())
  }

  #retry() {
    this.#open().then(() => this.#box.focus())
  }

  // ---- State ------------------------------------------------------------------------------------------------

  get #known() {
    return { groups: this.#choices.groups, sorts: this.#sorts }
  }

  #readAddress() {
    const { state, unknown, resolved } = read(new URLSearchParams(location.search), this.#known, (text) => this.#named(text))
    this.#state = this.#sound(state)
    this.#notes = [
      ...unknown.slice(0, MOST_NOTES).map(({ name, value }) => `${name}=${value.slice(0, 60)} is not known and was ignored.`),
      ...(unknown.length > MOST_NOTES ? [`${unknown.length - MOST_NOTES} more values are not known and were ignored.`] : []),
      ...resolved.map(({ value, used }) => `${value} → ${this.#choices.label("hardware", used)}`),
    ]
    this.#box.value = state.q
    this.#choices.check(state.chosen)
    this.#draw()
  }

  /** Hardware that a text surely names: none when it could be this or that. */
  #named(text) {
    const named = recognise(this.#index, text)
    const isAmbiguous = named.some((one, place) => named.some((other, next) => next !== place && other.start === one.start))
    return isAmbiguous ? [] : [...new Set(named.map((one) => one.hardware))]
  }

  /** A state as its address gives it back: only beside hardware can what is general be hidden, and a sort is kept when
   *  it is not the usual one. */
  #sound(state) {
    const { hardware } = state.chosen
    const mayHide = hardware.length > 0 && !hardware.includes(this.#index.everything)
    return { ...state, general: state.general || !mayHide, sort: isUsual(state) ? "" : state.sort }
  }

  #change(changed, { isTyping = false } = {}) {
    if (!this.#index) return
    this.#state = this.#sound({ ...this.#state, ...changed })
    this.#notes = []
    if ("chosen" in changed) this.#choices.check(this.#state.chosen)
    const query = write(this.#state, this.#known)
    const address = `${location.pathname}${query ? `?${query}` : ""}`
    // Each letter would be a step back; a click is one.
    if (isTyping) history.replaceState(null, "", address)
    else if (address !== location.pathname + location.search) history.pushState(null, "", address)
    this.#draw()
  }

  #asked(event) {
    if (!this.#index) return
    event.preventDefault()
    this.#typed()
    // What was asked for is a step to come back to; what is typed next changes another.
    history.pushState(null, "", location.href)
    if (matchMedia(TOUCH).matches) this.#box.blur()
  }

  /** The box in the header asks for words; the facets stay as they are. */
  #askedElsewhere(event) {
    if (!this.#index) return
    event.preventDefault()
    this.#box.value = event.detail
    this.#box.focus()
    this.#typed()
  }

  #typed() {
    this.#change({ q: asked(this.#box.value) }, { isTyping: true })
  }

  #clear() {
    this.#box.value = ""
    this.#change({ q: "", chosen: this.#choices.none, sort: "", general: true })
    this.#goOn()
  }

  /** @param {import("./finder/remarks.js").Filter} filter @param {number} [place] of its chip */
  #drop({ without }, place) {
    if ("q" in without) this.#box.value = ""
    this.#change(without)
    this.#goOn(place)
  }

  /** Focus what comes next when what was clicked goes away: the chip in its place, the box, or where that would bring up
   *  a keyboard, the count. */
  #goOn(place) {
    this.#focusNext = () => {
      const chips = place === undefined ? [] : [...at(this, "chips").querySelectorAll("button")]
      return chips[place] ?? chips.at(-1) ?? (matchMedia(TOUCH).matches ? at(this, "line") : this.#box)
    }
  }

  async #copy(button) {
    const before = (button.dataset.before ??= button.textContent)
    try {
      await navigator.clipboard.writeText(location.href)
      button.textContent = "Copied"
    } catch {
      button.textContent = "Copy it from the address bar"
    }
    const said = at(this, "said")
    said.textContent = button.textContent
    setTimeout(() => {
      button.textContent = before
      said.textContent = ""
    }, 2000)
  }

  #more() {
    this.#rows.more()
    // Who comes back to this list finds it as long as it was.
    history.replaceState({ shown: this.#rows.shown }, "")
  }

  // ---- Drawing ----------------------------------------------------------------------------------------------

  /** Draw soon, and only the newest state: typing is never held up by what it has overtaken. */
  #draw({ isKept = false } = {}) {
    cancelAnimationFrame(this.#drawing)
    this.#drawing = requestAnimationFrame(() => this.#drawNow(Math.max(isKept ? this.#rows.shown : 0, history.state?.shown ?? 0)))
  }

  /** @param {number} least how many features to show at least: those that were asked for already */
  #drawNow(least) {
    const answer = listFor(this.#index, this.#state)
    const filters = filtersOf(this.#state, this.#choices)
    at(this, "static").hidden = true
    this.#rows.draw(answer, least)
    this.#choices.drawCounts(answer)
    drawStatus(this, answer, this.#choices)
    drawChips(this, filters, (filter, place) => this.#drop(filter, place))
    drawNotes(this, this.#notesOn(answer), this.#failure, () => this.#retry())
    drawOffers(this, answer, (hardware) => {
      this.#change({ chosen: this.#choices.with(this.#state.chosen, "hardware", hardware) })
      this.#goOn()
    })
    drawMachine(this, answer)
    drawPages(this, answer)
    drawNothing(this, answer, answer.docs.length ? [] : this.#waysOut(answer, filters), {
      drop: (filter) => this.#drop(filter),
      clear: () => this.#clear(),
    })
    at(this, "sort").value = this.#state.sort || usualSort(this.#state)
    this.#focusNext?.().focus()
    this.#focusNext = null
  }

  #notesOn(answer) {
    const notes = [...this.#notes, ...notesOn(answer)]
    const isCut = this.#state.q.length < this.#box.value.replace(/\s+/g, " ").trim().length
    return isCut || answer.found.cut ? [...notes, "The text is long: only its beginning was searched for."] : notes
  }

  /** Each filter, and how many features there would be without it. */
  #waysOut({ found }, filters) {
    return filters.map((filter) => {
      const state = this.#sound({ ...this.#state, ...filter.without })
      return { filter, count: listFor(this.#index, state, state.q === this.#state.q ? found : undefined).docs.length }
    })
  }

  // ---- The sheet of small screens ---------------------------------------------------------------------------

  #openSheet() {
    at(this, "sheet-body").append(at(this, "facets"))
    at(this, "sheet").showModal()
  }

  #closeSheet() {
    at(this, "aside").append(at(this, "facets"))
    const open = at(this, "open")
    if (open.checkVisibility()) open.focus()
    else this.#box.focus()
  }
}

customElements.define("tn-finder", Finder)
