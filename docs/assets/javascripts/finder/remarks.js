/* What the page says around its list: what was chosen, what was understood, which hardware it is, and where else to look. */

import { recognise } from "./devices.js"
import { isGeneral, listFor, waysTo } from "./list.js"
import { pagesFor } from "./search.js"
import { add, addButton, at, put, quoted, short } from "./writing.js"

const MOST_OFFERS = 4
const MOST_PAGES = 4
const MOST_WORDS = 12

/** @typedef {{text: string, without: Partial<import("./state.js").State>}} Filter a thing that was chosen: words for it, and
 *  what changes without it */

/** @typedef {{legend: (name: string) => string, label: (name: string, value: string) => string}} Labels of the page */

/** @param {import("./state.js").State} state @param {Labels} labels @returns {Filter[]} */
export const filtersOf = ({ q, chosen, general }, labels) => {
  const filters = q ? [{ text: quoted(q, 60), without: { q: "" } }] : []
  for (const [name, values] of Object.entries(chosen)) {
    for (const value of values) {
      const rest = { ...chosen, [name]: values.filter((one) => one !== value) }
      filters.push({ text: `${labels.legend(name)}: ${labels.label(name, value)}`, without: { chosen: rest } })
    }
  }
  if (!general) filters.push({ text: "only what is not for all hardware", without: { general: true } })
  return filters
}

/** How many there are, and of what. @param {import("./list.js").Answer} answer @param {Labels} labels */
export const drawStatus = (page, { index, state, docs }, labels) => {
  const total = docs.length
  put(at(page, "count"), total)
  put(at(page, "sheet-count"), total)
  put(at(page, "sheet-word"), total === 1 ? "change" : "changes")
  const parts = Object.entries(state.chosen)
    .filter(([, values]) => values.length)
    .map(([name, values]) => ` · ${labels.legend(name)}: ${values.map((value) => labels.label(name, value)).join(" or ")}`)
  if (!state.general) parts.push(" · without what applies to all hardware")
  const words = state.q ? ` for ${quoted(state.q, 80)}` : ""
  const of = total < index.count ? `of ${index.count} ` : ""
  put(at(page, "status"), `${of}${index.count === 1 ? "change" : "changes"}${words}${parts.join("")}`)
}

/** What was chosen, each to be dropped. @param {Filter[]} filters @param {(filter: Filter, place: number) => void} drop */
export const drawChips = (page, filters, drop) => {
  const chips = at(page, "chips")
  at(page, "chosen-line").hidden = !filters.length
  chips.replaceChildren()
  filters.forEach((filter, place) => {
    const button = addButton(add(chips, "li"), filter.text, () => drop(filter, place), "tn-chip tn-chip--drop")
    button.setAttribute("aria-label", `Drop ${filter.text}`)
  })
  const active = filters.filter(({ without }) => !("q" in without)).length
  put(at(page, "active"), active ? `(${active})` : "")
}

/** What became of the words, in sentences. @param {import("./list.js").Answer} answer @returns {string[]} */
export const notesOn = ({ state, found }) => {
  const notes = found.corrected.map(({ typed, used }) => `No record has ${quoted(typed, 40)}; searched for ${used}.`)
  const { missing } = found
  if (missing.length) notes.push(`No record has ${missing.slice(0, 5).map((word) => quoted(word, 40)).join(", ")}.`)
  if (!found.docs && state.q) notes.push("There is no word in it to search for.")
  return notes
}

/** @param {string[]} notes @param {string | null} failure what could not be had @param {() => void} retry */
export const drawNotes = (page, notes, failure, retry) => {
  const place = at(page, "note")
  // What is said already is not said again with each letter.
  const said = [...notes, failure].join("\n")
  if (place.dataset.said === said) return
  place.dataset.said = said
  place.hidden = !notes.length && !failure
  place.replaceChildren()
  for (const note of notes) add(place, "p", note)
  if (!failure) return
  const line = add(place, "p", failure)
  line.append(" ")
  addButton(line, "Try again", retry)
}

const warn = (place, notice) => add(place, "p", notice, "tn-machine__notice")

/** Hardware that the text names, to filter by. @param {(hardwareId: string) => void} choose */
export const drawOffers = (page, { index, state }, choose) => {
  const chosen = new Set(state.chosen.hardware)
  const named = recognise(index, state.q).filter((one) => !chosen.has(one.hardware)).slice(0, MOST_OFFERS)
  const place = at(page, "offers")
  place.hidden = !named.length
  place.replaceChildren()
  const notices = new Set(named.map((one) => index.hardware.get(one.hardware).notice))
  for (const notice of notices) if (notice) warn(place, notice)
  for (const one of named) {
    const detail = [one.family, one.capability].filter(Boolean).join(", ")
    const text = `Filter by ${one.label}${detail ? ` → ${detail}` : ""}`
    const button = addButton(place, text, () => choose(one.hardware), "tn-button tn-button--offer")
    button.dataset.offer = one.hardware
  }
}

/** For each chosen hardware: whether it is still served, its page, and how many features reach it how. */
export const drawMachine = (page, { index, state, found, docs }) => {
  const { hardware } = state.chosen
  const place = at(page, "machine-lines")
  at(page, "machine").hidden = !hardware.length
  place.replaceChildren()
  if (!hardware.length) return
  const everything = state.general ? docs : listFor(index, { ...state, general: true }, found).docs
  for (const id of hardware) {
    const one = index.hardware.get(id)
    if (one.notice) warn(place, one.notice)
    const line = add(place, "p")
    add(line, "a", `All about ${one.label}`).href = one.url
    const ways = waysTo(index, everything, id).map(([way, count]) => `${count} ${way}`)
    if (ways.length) line.append(`: ${ways.join(", ")}`)
  }
  const general = everything.filter((number) => isGeneral(index, number, hardware)).length
  const choice = at(page, "general")
  choice.hidden = (!general && state.general) || hardware.includes(index.everything)
  choice.querySelector("input").checked = !state.general
  put(at(page, "general-count"), general)
}

/** Pages of the site that the words name. */
export const drawPages = (page, { index, state }) => {
  const place = at(page, "pages")
  const named = recognise(index, state.q).map((one) => index.hardware.get(one.hardware))
  const pages = new Map([...named, ...pagesFor(index, state.q)].map((one) => [one.url, one.label]))
  place.hidden = !pages.size
  place.replaceChildren()
  for (const [url, label] of [...pages].slice(0, MOST_PAGES)) {
    place.append(place.hasChildNodes() ? " · " : "Pages: ")
    add(place, "a", label).href = url
  }
}

/** Nothing found: what was understood, each filter to drop with what that would leave, and where else to look.
 *  @param {import("./list.js").Answer} answer @param {{filter: Filter, count: number}[]} ways what each filter to drop would leave
 *  @param {{drop: (filter: Filter) => void, clear: () => void}} acts */
export const drawNothing = (page, { index, state, found, docs }, ways, { drop, clear }) => {
  const place = at(page, "nothing")
  place.hidden = docs.length > 0
  place.replaceChildren()
  if (docs.length) return
  add(place, "p", "Nothing fits all of this.")
  const understood = found.words.filter((word) => !found.missing.includes(word))
  const words = understood.slice(0, MOST_WORDS).map((word) => short(word, 40))
  if (words.length) add(place, "p", `Understood: ${words.join(", ")}`)
  const list = add(place, "ul", "", "tn-chosen")
  for (const { filter, count } of ways) addButton(add(list, "li"), `Without ${filter.text} (${count})`, () => drop(filter))
  if (ways.length > 1) addButton(add(list, "li"), `Clear all of it (${index.count})`, clear)
  const links = at(page, "upstream-links").content.cloneNode(true)
  for (const link of links.querySelectorAll("[data-upstream]")) {
    const address = new URL(link.href)
    address.searchParams.set(link.dataset.upstream, short(state.q, 200))
    link.href = address.href
  }
  place.append(links)
}
