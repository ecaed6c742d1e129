/* The finder: draws the list that the box and the facets ask for, and keeps it in the page's address.
   It holds no word of the domain: labels come from the page, everything else from the index. */

import { recognise } from "./finder/devices.js"
import { filter } from "./finder/facets.js"
import { pagesFor, search } from "./finder/search.js"
import { asked, read, usualSort, write } from "./finder/state.js"
import { openIndex } from "./finder/store.js"
import { ASKED } from "./search-box.js"

const AT_ONCE = 20
const AT_MORE = 60
const MOST_NOTES = 5
const NARROW = "(max-width: 59.984375em)"
/** Where a keyboard would rise from the screen and cover the list. */
const TOUCH = "(pointer: coarse)"

class Finder extends HTMLElement {
  #index = null
  #state
  #known
  #boxes = []
  #counts = new Map()
  #labels = new Map()
  #legends = new Map()
  #badges = new Map()
  #docs = []
  #found = null
  #shown = 0
  #drawing = 0
  #notes = []
  #failure = null
  #focusNext = null
  #leaving = null

  connectedCallback() {
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    this.#readPage()
    this.#box.value ||= asked(new URLSearchParams(location.search).get("q") ?? "")
    this.#at("query").addEventListener("submit", (event) => this.#asked(event), { signal })
    this.#box.addEventListener("input", () => this.#typed(), { signal })
    this.#at("facets").addEventListener("change", () => this.#chose(), { signal })
    this.#at("facets").addEventListener("submit", (event) => event.preventDefault(), { signal })
    this.#at("sort").addEventListener("change", () => this.#sorted(), { signal })
    this.#at("general").addEventListener("change", (event) => this.#change({ general: !event.target.checked }), { signal })
    this.#at("copy").addEventListener("click", (event) => this.#copy(event.currentTarget), { signal })
    this.#at("clear").addEventListener("click", () => this.#clear(), { signal })
    this.#at("more").addEventListener("click", () => this.#more(), { signal })
    this.#at("open").addEventListener("click", () => this.#openSheet(), { signal })
    const sheet = this.#at("sheet")
    for (const one of this.querySelectorAll("[data-close]")) one.addEventListener("click", () => sheet.close(), { signal })
    sheet.addEventListener("close", () => this.#closeSheet(), { signal })
    sheet.addEventListener("click", (event) => event.target === sheet && sheet.close(), { signal })
    matchMedia(NARROW).addEventListener("change", () => sheet.open && sheet.close(), { signal })
    window.addEventListener("popstate", () => this.#index && this.#readAddress(), { signal })
    document.addEventListener(
      ASKED,
      (event) => {
        if (!this.#index) return
        event.preventDefault()
        this.#box.value = event.detail
        this.#box.focus()
        this.#typed()
      },
      { signal },
    )
    this.#open()
  }

  disconnectedCallback() {
    this.#leaving?.abort()
  }

  #at(name) {
    return this.querySelector(`[data-${name}]`)
  }

  get #box() {
    return this.querySelector("input[name=q]")
  }

  /** What can be chosen, with its labels. */
  #readPage() {
    const groups = new Map()
    for (const box of this.querySelectorAll("[data-facets] input")) {
      if (!groups.has(box.name)) groups.set(box.name, [])
      groups.get(box.name).push(box.value)
      const label = box.closest("label")
      this.#labels.set(`${box.name}=${box.value}`, label.querySelector("[data-label]").textContent)
      this.#counts.set(box, label.querySelector("[data-facet-count]"))
      this.#boxes.push(box)
    }
    for (const facet of this.querySelectorAll("[data-facet]")) {
      this.#legends.set(facet.dataset.facet, facet.querySelector("[data-legend]").textContent)
    }
    for (const one of this.#at("badge-list").content.querySelectorAll("[data-badge]")) {
      this.#badges.set(one.dataset.badge, one.firstElementChild)
    }
    this.#known = { groups, sorts: [...this.#at("sort").options].map((option) => option.value) }
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
    else this.#drawNotes()
  }

  // ---- State ------------------------------------------------------------------------------------------------

  #readAddress() {
    const resolve = (text) => this.#named(text)
    const { state, unknown, resolved } = read(new URLSearchParams(location.search), this.#known, resolve)
    this.#state = this.#sound(state)
    this.#notes = [
      ...unknown.slice(0, MOST_NOTES).map(({ name, value }) => `${name}=${value.slice(0, 60)} is not known and was ignored.`),
      ...(unknown.length > MOST_NOTES ? [`${unknown.length - MOST_NOTES} more values are not known and were ignored.`] : []),
      ...resolved.map(({ value, used }) => `${value} → ${this.#label("hardware", used)}`),
    ]
    this.#box.value = state.q
    this.#mirror()
    this.#draw()
  }

  /** Hardware that a text surely names: none when it could be this or that. */
  #named(text) {
    const named = recognise(this.#index, text)
    const isAmbiguous = named.some((one, at) => named.some((other, place) => place !== at && other.start === one.start))
    return isAmbiguous ? [] : [...new Set(named.map((one) => one.hardware))]
  }

  /** A state as its address gives it back: only beside hardware can what is general be hidden, and a sort is kept when
   *  it is not the usual one. */
  #sound(state) {
    const { hardware } = state.chosen
    const mayHide = hardware.length > 0 && !hardware.includes(this.#index.everything)
    const isUsual = state.sort === usualSort(state) || (state.sort === "relevance" && !state.q)
    return { ...state, general: state.general || !mayHide, sort: isUsual ? "" : state.sort }
  }

  /** Show in the controls what the state says. */
  #mirror() {
    for (const box of this.#boxes) {
      box.checked = this.#state.chosen[box.name].includes(box.value)
      if (box.checked) for (let at = box.closest("details"); at; at = at.parentElement.closest("details")) at.open = true
    }
  }

  #label(name, value) {
    return this.#labels.get(`${name}=${value}`) ?? value
  }

  #change(changed, { isTyping = false } = {}) {
    if (!this.#index) return
    this.#state = this.#sound({ ...this.#state, ...changed })
    this.#notes = []
    this.#shown = 0
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

  #typed() {
    this.#change({ q: asked(this.#box.value) }, { isTyping: true })
  }

  #chose() {
    const chosen = {}
    for (const name of this.#known.groups.keys()) chosen[name] = []
    for (const box of this.#boxes) if (box.checked) chosen[box.name].push(box.value)
    this.#change({ chosen })
  }

  #choose(name, value, isChosen) {
    const others = this.#state.chosen[name].filter((one) => one !== value)
    const asked = isChosen ? [...others, value] : others
    const values = this.#known.groups.get(name).filter((one) => asked.includes(one))
    this.#change({ chosen: { ...this.#state.chosen, [name]: values } })
    this.#mirror()
  }

  #sorted() {
    const sort = this.#at("sort").value
    this.#change({ sort: sort === usualSort(this.#state) ? "" : sort })
  }

  #clear() {
    this.#box.value = ""
    const chosen = Object.fromEntries([...this.#known.groups.keys()].map((name) => [name, []]))
    this.#change({ q: "", chosen, sort: "", general: true })
    this.#mirror()
    this.#goOn()
  }

  /** Focus what comes next when what was clicked goes away: the box, or where it would bring up a keyboard, the count. */
  #goOn() {
    this.#focusNext = () => (matchMedia(TOUCH).matches ? this.#at("line") : this.#box)
  }

  async #copy(button) {
    const before = (button.dataset.before ??= button.textContent)
    try {
      await navigator.clipboard.writeText(location.href)
      button.textContent = "Copied"
    } catch {
      button.textContent = "Copy it from the address bar"
    }
    this.#at("said").textContent = button.textContent
    setTimeout(() => {
      button.textContent = before
      this.#at("said").textContent = ""
    }, 2000)
  }

  // ---- The list ---------------------------------------------------------------------------------------------

  /** Numbers of the features before the facets, in the order asked for. */
  #ordered(found, state) {
    const sort = state.sort || usualSort(state)
    const everything = sort === "newest" ? this.#index.newest : Array.from({ length: this.#index.count }, (_, at) => at)
    if (!found.docs) return everything
    if (sort === "relevance") return found.docs
    const kept = new Set(found.docs)
    return everything.filter((number) => kept.has(number))
  }

  /** Whether a feature is hidden because it applies to all hardware. */
  #isHidden(number, state) {
    const { hardware } = state.chosen
    return !state.general && hardware.length > 0 && hardware.every((id) => this.#index.isGeneral(number, id))
  }

  /** The list for a state. */
  #list(state, found = search(this.#index, state.q)) {
    const numbers = this.#ordered(found, state).filter((number) => !this.#isHidden(number, state))
    return { found, ...filter(this.#index, state.chosen, numbers) }
  }

  /** Draw soon, and only the newest state: typing is never held up by what it has overtaken. */
  #draw({ isKept = false } = {}) {
    cancelAnimationFrame(this.#drawing)
    this.#drawing = requestAnimationFrame(() => this.#drawNow(Math.max(isKept ? this.#shown : 0, history.state?.shown ?? 0)))
  }

  /** @param {number} least how many features to show at least: those that were asked for already */
  #drawNow(least) {
    const focused = document.activeElement?.closest("[data-feature]")?.dataset.feature
    const { found, docs, counts } = this.#list(this.#state)
    this.#found = found
    this.#docs = docs
    this.#shown = 0
    this.#at("static").hidden = true
    const list = this.#at("list")
    list.hidden = !docs.length
    list.replaceChildren()
    this.#append(Math.max(AT_ONCE, least))
    if (focused) list.querySelector(`[data-feature="${CSS.escape(focused)}"] a`)?.focus()
    this.#drawCounts(counts)
    this.#drawStatus()
    this.#drawChips()
    this.#drawNotes()
    this.#drawOffers()
    this.#drawMachine()
    this.#drawPages()
    this.#drawNothing()
    this.#at("sort").value = this.#state.sort || usualSort(this.#state)
    this.#focusNext?.()?.focus()
    this.#focusNext = null
  }

  #append(number) {
    const list = this.#at("list")
    const rows = document.createDocumentFragment()
    const full = this.#state.sort && this.#state.sort !== "relevance" ? Infinity : this.#found.full
    const complete = this.#found.docs && full < Infinity ? new Set(this.#found.docs.slice(0, full)) : null
    const isWhole = (at) => !complete || complete.has(this.#docs[at])
    const end = Math.min(this.#docs.length, this.#shown + number)
    for (let at = this.#shown; at < end; at += 1) {
      if (!isWhole(at) && (at === 0 ? this.#found.words.length > 1 : isWhole(at - 1))) {
        const line = document.createElement("li")
        line.className = "tn-divider"
        line.textContent = at ? "These have most of the words" : "Nothing here has every word; these have most"
        rows.append(line)
      }
      rows.append(this.#row(this.#docs[at]))
    }
    this.#shown = end
    list.append(rows)
    const left = this.#docs.length - end
    this.#at("more").hidden = !left
    this.#at("more").textContent = left > AT_MORE ? `Show ${AT_MORE} of ${left} more` : `Show ${left} more`
  }

  #more() {
    const first = this.#shown
    this.#append(AT_MORE)
    // Who comes back to this list finds it as long as it was.
    history.replaceState({ shown: this.#shown }, "")
    this.querySelectorAll("[data-feature]")[first]?.querySelector("a").focus()
  }

  #row(number) {
    const index = this.#index
    const row = this.#at("row").content.firstElementChild.cloneNode(true)
    row.dataset.feature = index.id(number)
    const title = row.querySelector("[data-title]")
    title.href = index.url(number)
    this.#write(title, index.title(number))
    const summary = index.summary(number)
    if (summary) this.#write(row.querySelector("[data-summary]"), summary)
    const names = this.#found.names(number)
    if (names.length) {
      const line = row.querySelector("[data-names]")
      line.hidden = false
      names.forEach((name, at) => {
        if (at) line.append(" ")
        const code = line.appendChild(document.createElement("code"))
        this.#mark(code, name)
      })
    }
    const meta = row.querySelector("[data-meta]")
    const isUrgent = index.isSilent(number) && this.#isRequired(number)
    const third = isUrgent ? "silent" : `grade-${index.value("grade", number)}`
    for (const key of [`action-${index.value("action", number)}`, `kind-${index.value("kind", number)}`, third]) {
      const badge = this.#badges.get(key)
      if (badge) meta.before(badge.cloneNode(true), " ")
    }
    const reasons = this.#state.chosen.hardware.filter((id) => this.#reaches(number, id)).map((id) => index.reason(number, id))
    meta.textContent = [index.value("version", number), ...new Set(reasons)].join(" · ")
    return row
  }

  /** The most urgent action is the first that the page lists. */
  #isRequired(number) {
    return this.#index.value("action", number) === this.#known.groups.get("action")[0]
  }

  #reaches(number, hardwareId) {
    const { values, sets, of } = this.#index.groups.get("hardware")
    return sets[of[number]].includes(values.indexOf(hardwareId))
  }

  /** Text with code between backticks, and the words that were found marked. */
  #write(element, text) {
    text.split("`").forEach((piece, at) => {
      if (piece) this.#mark(at % 2 ? element.appendChild(document.createElement("code")) : element, piece)
    })
  }

  #mark(element, text) {
    if (!this.#found.docs) {
      element.append(text)
      return
    }
    for (const piece of this.#found.mark(text)) {
      if (piece.hit) element.appendChild(document.createElement("mark")).textContent = piece.text
      else element.append(piece.text)
    }
  }

  // ---- Around the list --------------------------------------------------------------------------------------

  #drawCounts(counts) {
    for (const box of this.#boxes) {
      const values = this.#known.groups.get(box.name)
      const group = this.#index.groups.get(box.name)
      let count = counts.get(box.name)?.[group.values.indexOf(box.value)] ?? 0
      // To choose all hardware shows again what was hidden.
      if (!this.#state.general && box.name === "hardware" && box.value === this.#index.everything) {
        const chosen = { ...this.#state.chosen, hardware: [...this.#state.chosen.hardware, box.value] }
        count = this.#list({ ...this.#state, chosen, general: true }, this.#found).docs.length
      }
      const shown = this.#counts.get(box)
      if (shown.textContent !== String(count)) shown.textContent = count
      box.closest("label").classList.toggle("tn-choice--none", count === 0 && values.length > 0)
    }
    for (const facet of this.querySelectorAll("[data-facet]")) {
      const chosen = this.#state.chosen[facet.dataset.facet].length
      facet.querySelector("[data-chosen]").textContent = chosen ? `${chosen} chosen` : ""
    }
  }

  /** What is chosen, as steps back from it: words to show, and the state without it. */
  #filters() {
    const { q, chosen } = this.#state
    const filters = []
    if (q) filters.push({ text: quoted(q, 60), without: { q: "" } })
    for (const [name, values] of Object.entries(chosen)) {
      for (const value of values) {
        const rest = { ...chosen, [name]: values.filter((one) => one !== value) }
        filters.push({ text: `${this.#legends.get(name)}: ${this.#label(name, value)}`, without: { chosen: rest } })
      }
    }
    if (!this.#state.general) filters.push({ text: "only what is not for all hardware", without: { general: true } })
    return filters
  }

  #drop({ without }) {
    if ("q" in without) this.#box.value = ""
    this.#change(without)
    this.#mirror()
    this.#goOn()
  }

  #drawStatus() {
    const total = this.#docs.length
    put(this.#at("count"), total)
    put(this.#at("sheet-count"), total)
    put(this.#at("sheet-word"), total === 1 ? "change" : "changes")
    const { q, chosen } = this.#state
    const parts = Object.entries(chosen)
      .filter(([, values]) => values.length)
      .map(([name, values]) => ` · ${this.#legends.get(name)}: ${values.map((value) => this.#label(name, value)).join(" or ")}`)
    if (!this.#state.general) parts.push(" · without what applies to all hardware")
    const words = q ? ` for ${quoted(q, 80)}` : ""
    const all = this.#index.count
    const of = total < all ? `of ${all} ` : ""
    put(this.#at("status"), `${of}${all === 1 ? "change" : "changes"}${words}${parts.join("")}`)
    const active = this.#filters().length - (q ? 1 : 0)
    put(this.#at("active"), active ? `(${active})` : "")
  }

  #drawChips() {
    const filters = this.#filters()
    const chips = this.#at("chips")
    this.#at("chosen-line").hidden = !filters.length
    chips.replaceChildren(
      ...filters.map((one) => {
        const item = document.createElement("li")
        const button = item.appendChild(document.createElement("button"))
        button.type = "button"
        button.className = "tn-chip tn-chip--drop"
        button.setAttribute("aria-label", `Drop ${one.text}`)
        button.textContent = one.text
        button.addEventListener("click", () => {
          const at = [...chips.children].indexOf(item)
          this.#drop(one)
          const goOn = this.#focusNext
          this.#focusNext = () => (chips.children[at] ?? chips.lastElementChild)?.querySelector("button") ?? goOn()
        })
        return item
      }),
    )
  }

  #drawNotes() {
    const notes = [...this.#notes]
    for (const { typed, used } of this.#found?.corrected ?? []) notes.push(`Nothing has ${quoted(typed, 40)}; searched for ${used}.`)
    const missing = this.#found?.missing ?? []
    if (missing.length) notes.push(`Nothing has ${missing.slice(0, 5).map((word) => quoted(word, 40)).join(", ")}.`)
    if (this.#found && !this.#found.docs && this.#state.q) notes.push("There is no word in it to search for.")
    const isCut = this.#state && this.#state.q.length < this.#box.value.replace(/\s+/g, " ").trim().length
    if (isCut || this.#found?.cut) notes.push("The text is long: only its beginning was searched for.")
    const place = this.#at("note")
    // What is said already is not said again with each letter.
    const said = [...notes, this.#failure].join("\n")
    if (place.dataset.said === said) return
    place.dataset.said = said
    place.hidden = !notes.length && !this.#failure
    place.replaceChildren(
      ...notes.map((note) => {
        const line = document.createElement("p")
        line.textContent = note
        return line
      }),
    )
    if (this.#failure) {
      const line = place.appendChild(document.createElement("p"))
      const retry = document.createElement("button")
      retry.type = "button"
      retry.className = "tn-button"
      retry.textContent = "Try again"
      retry.addEventListener("click", () => this.#open().then(() => this.#box.focus()))
      line.append(this.#failure, " ", retry)
    }
  }

  /** Hardware that the text names, to filter by. */
  #drawOffers() {
    const chosen = new Set(this.#state.chosen.hardware)
    const named = recognise(this.#index, this.#state.q).filter((one) => !chosen.has(one.hardware)).slice(0, 4)
    const place = this.#at("offers")
    place.hidden = !named.length
    const notices = [...new Set(named.map((one) => this.#index.hardware.get(one.hardware).notice))].filter(Boolean)
    place.replaceChildren(
      ...notices.map((notice) => {
        const line = document.createElement("p")
        line.className = "tn-machine__notice"
        line.textContent = notice
        return line
      }),
      ...named.map((one) => {
        const button = document.createElement("button")
        button.type = "button"
        button.className = "tn-button tn-button--offer"
        button.dataset.offer = one.hardware
        const detail = [one.family, one.capability].filter(Boolean).join(", ")
        button.textContent = `Filter by ${one.label}${detail ? ` → ${detail}` : ""}`
        button.addEventListener("click", () => {
          this.#choose("hardware", one.hardware, true)
          this.#goOn()
        })
        return button
      }),
    )
  }

  /** For each chosen hardware: whether it is still served, its page, and how many features reach it how. */
  #drawMachine() {
    const place = this.#at("machine-lines")
    const { hardware } = this.#state.chosen
    this.#at("machine").hidden = !hardware.length
    place.replaceChildren()
    if (!hardware.length) return
    const { docs } = this.#state.general ? { docs: this.#docs } : this.#list({ ...this.#state, general: true }, this.#found)
    for (const id of hardware) {
      const one = this.#index.hardware.get(id)
      if (one.notice) {
        const notice = place.appendChild(document.createElement("p"))
        notice.className = "tn-machine__notice"
        notice.textContent = one.notice
      }
      const line = place.appendChild(document.createElement("p"))
      const link = line.appendChild(document.createElement("a"))
      link.href = one.url
      link.textContent = `All about ${one.label}`
      const ways = this.#ways(docs, id).map(([way, count]) => `${count} ${way}`)
      if (ways.length) line.append(`: ${ways.join(", ")}`)
    }
    const general = docs.filter((number) => hardware.every((id) => this.#index.isGeneral(number, id))).length
    this.#at("general").hidden = (!general && this.#state.general) || hardware.includes(this.#index.everything)
    this.#at("general").querySelector("input").checked = !this.#state.general
    put(this.#at("general-count"), general)
  }

  /** How many features reach a hardware in which way, the nearest way first. @returns {[string, number][]} */
  #ways(numbers, id) {
    const [own, ...above] = this.#index.chain(id)
    const ways = [["by its own name", 0], ["by a part of it", 0], ...above.map(() => ["", 0])]
    for (const number of numbers) {
      if (!this.#reaches(number, id)) continue
      const tags = this.#index.tags(number)
      const step = above.findIndex((one) => tags.includes(one))
      const way = ways[tags.includes(own) ? 0 : step < 0 ? 1 : step + 2]
      way[0] ||= `for ${this.#index.reason(number, id)}`
      way[1] += 1
    }
    return ways.filter(([, count]) => count)
  }

  #drawPages() {
    const place = this.#at("pages")
    const named = recognise(this.#index, this.#state.q).map((one) => this.#index.hardware.get(one.hardware))
    const each = [...named, ...pagesFor(this.#index, this.#state.q)].map((one) => [one.url, one])
    const pages = [...new Map(each).values()]
    place.hidden = !pages.length
    place.replaceChildren()
    pages.slice(0, 4).forEach((one, at) => {
      place.append(at ? " · " : "Pages: ")
      const link = place.appendChild(document.createElement("a"))
      link.href = one.url
      link.textContent = one.label
    })
  }

  /** Nothing found: what was understood, each filter to drop with what that would leave, and where else to look. */
  #drawNothing() {
    const place = this.#at("nothing")
    place.hidden = this.#docs.length > 0
    place.replaceChildren()
    if (this.#docs.length) return
    const say = (text) => (place.appendChild(document.createElement("p")).textContent = text)
    say("Nothing fits all of this.")
    const understood = this.#found.words.filter((word) => !this.#found.missing.includes(word))
    if (understood.length) say(`Understood: ${understood.slice(0, 12).map((word) => word.slice(0, 40)).join(", ")}`)
    const list = place.appendChild(document.createElement("ul"))
    list.className = "tn-chosen"
    for (const one of this.#filters()) {
      const state = this.#sound({ ...this.#state, ...one.without })
      const count = ("q" in one.without ? this.#list(state) : this.#list(state, this.#found)).docs.length
      const button = list.appendChild(document.createElement("li")).appendChild(document.createElement("button"))
      button.type = "button"
      button.className = "tn-button"
      button.textContent = `Without ${one.text} (${count})`
      button.addEventListener("click", () => this.#drop(one))
    }
    if (this.#filters().length > 1) {
      const button = list.appendChild(document.createElement("li")).appendChild(document.createElement("button"))
      button.type = "button"
      button.className = "tn-button"
      button.textContent = `Clear all of it (${this.#index.count})`
      button.addEventListener("click", () => this.#clear())
    }
    const upstream = this.#at("upstream-links").content.cloneNode(true)
    for (const link of upstream.querySelectorAll("[data-upstream]")) {
      const address = new URL(link.href)
      address.searchParams.set(link.dataset.upstream, short(this.#state.q, 200))
      link.href = address.href
    }
    place.append(upstream)
  }

  // ---- The sheet of small screens ---------------------------------------------------------------------------

  #openSheet() {
    this.#at("sheet-body").append(this.#at("facets"))
    this.#at("sheet").showModal()
  }

  #closeSheet() {
    this.#at("aside").append(this.#at("facets"))
    if (this.#at("open").checkVisibility()) this.#at("open").focus()
    else this.#box.focus()
  }
}

/** Write a text where another stands: the same one is not announced again. */
const put = (element, text) => {
  if (element.textContent !== String(text)) element.textContent = text
}

/** A text of at most so many letters. */
const short = (text, most) => [...text].slice(0, most).join("")

/** What somebody typed, within a sentence of ours: its beginning, and not turning about what stands around it. */
const quoted = (text, most) => {
  const shown = short(text, most)
  return `“${/[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFEFC]/.test(shown) ? `\u2068${shown}\u2069` : shown}”`
}

customElements.define("tn-finder", Finder)
