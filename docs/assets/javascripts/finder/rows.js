/* The results in the page: rows made from its templates, a few at first and more on request. */

import { reaches } from "./list.js"
import { add, at } from "./writing.js"

const AT_ONCE = 20
const AT_MORE = 60

export class Rows {
  #list
  #more
  #row
  #badges = new Map()
  #answer = null
  #shown = 0

  /** @param {HTMLElement} page the finder, with its templates */
  constructor(page) {
    this.#list = at(page, "list")
    this.#more = at(page, "more")
    this.#row = at(page, "row").content.firstElementChild
    for (const one of at(page, "badge-list").content.querySelectorAll("[data-badge]")) {
      this.#badges.set(one.dataset.badge, one.firstElementChild)
    }
  }

  /** How many are shown. */
  get shown() {
    return this.#shown
  }

  /** @param {import("./list.js").Answer} answer @param {number} least how many to show at least: they were asked for already */
  draw(answer, least) {
    const focused = document.activeElement?.closest("[data-feature]")?.dataset.feature
    this.#answer = answer
    this.#shown = 0
    this.#list.hidden = !answer.docs.length
    this.#list.replaceChildren()
    this.#append(Math.max(AT_ONCE, least))
    if (focused) this.#list.querySelector(`[data-feature="${CSS.escape(focused)}"] a`)?.focus()
  }

  /** Show the next ones, and go to the first of them. */
  more() {
    const first = this.#shown
    this.#append(AT_MORE)
    this.#list.querySelectorAll("[data-feature]")[first]?.querySelector("a").focus()
  }

  #append(number) {
    const { state, found, docs } = this.#answer
    const rows = document.createDocumentFragment()
    const isRanked = found.docs && (!state.sort || state.sort === "relevance")
    const complete = isRanked ? new Set(found.docs.slice(0, found.full)) : null
    const isWhole = (place) => !complete || complete.has(docs[place])
    const end = Math.min(docs.length, this.#shown + number)
    for (let place = this.#shown; place < end; place += 1) {
      if (!isWhole(place) && (place === 0 ? found.words.length > 1 : isWhole(place - 1))) {
        add(rows, "li", place ? "These have most of the words" : "Nothing here has every word; these have most", "tn-divider")
      }
      rows.append(this.#rowOf(docs[place]))
    }
    this.#shown = end
    this.#list.append(rows)
    const left = docs.length - end
    this.#more.hidden = !left
    this.#more.textContent = left > AT_MORE ? `Show ${AT_MORE} of ${left} more` : `Show ${left} more`
  }

  #rowOf(number) {
    const { index, state, found } = this.#answer
    const row = this.#row.cloneNode(true)
    row.dataset.feature = index.id(number)
    const title = at(row, "title")
    title.href = index.url(number)
    this.#write(title, index.title(number))
    const summary = index.summary(number)
    if (summary) this.#write(at(row, "summary"), summary)
    const names = found.names(number)
    const line = at(row, "names")
    line.hidden = !names.length
    names.forEach((name, place) => {
      if (place) line.append(" ")
      this.#mark(add(line, "code"), name)
    })
    const meta = at(row, "meta")
    for (const key of this.#badgesOf(number)) {
      const badge = this.#badges.get(key)
      if (badge) meta.before(badge.cloneNode(true), " ")
    }
    const reasons = state.chosen.hardware.filter((id) => reaches(index, number, id)).map((id) => index.reason(number, id))
    meta.textContent = [index.value("version", number), ...new Set(reasons)].join(" · ")
    return row
  }

  /** What to do, what sort of change it is, and how sure that is, or that nothing tells of it, which matters more. */
  #badgesOf(number) {
    const { index } = this.#answer
    const action = index.value("action", number)
    const [mostUrgent] = index.groups.get("action").values
    const isSilent = index.isSilent(number) && action === mostUrgent
    return [`action-${action}`, `kind-${index.value("kind", number)}`, isSilent ? "silent" : `grade-${index.value("grade", number)}`]
  }

  /** Text with code between backticks, and the words that were found marked. */
  #write(element, text) {
    text.split("`").forEach((piece, place) => {
      if (piece) this.#mark(place % 2 ? add(element, "code") : element, piece)
    })
  }

  #mark(element, text) {
    const { found } = this.#answer
    for (const piece of found.docs ? found.mark(text) : [{ text, hit: false }]) {
      if (piece.hit) add(element, "mark", piece.text)
      else element.append(piece.text)
    }
  }
}
