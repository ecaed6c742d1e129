/* Drawing what is known about a version on a machine: what stops it first. */

import { add } from "../finder/writing.js"

/** @typedef {{text: string, url: string}} Way */

/** @param {HTMLElement} place @param {object} answer @param {boolean} answer.isAsked whether anything is known of the machine
 *  @param {import("./needs.js").Verdict[]} answer.verdicts @param {string[]} answer.missing what was not told
 *  @param {string} answer.says words before the ways on @param {Way[]} answer.ways */
export const drawVerdicts = (place, answer) => {
  const { isAsked, verdicts, missing, says, ways } = answer
  const said = JSON.stringify(answer)
  // The same is not announced again.
  if (place.dataset.said === said) return
  place.dataset.said = said
  place.hidden = !isAsked
  place.replaceChildren()
  if (!isAsked) return
  const stops = verdicts.filter((one) => one.isStop)
  const title = add(place, "p", stops.length ? "This stops you" : "Nothing is known that stops this machine", "tn-verdicts__title")
  title.classList.toggle("tn-verdicts__title--stop", stops.length > 0)
  title.setAttribute("role", "heading")
  title.setAttribute("aria-level", "2")
  if (verdicts.length) {
    const list = add(place, "ul")
    for (const one of verdicts) {
      const item = add(list, "li", one.text, one.isStop ? "tn-stop" : "")
      if (one.isStop) item.dataset.stop = ""
      if (one.url) {
        item.append(" ")
        add(item, "a", "More").href = one.url
      }
    }
  }
  if (missing.length) add(place, "p", `Not told, and so not looked at: ${missing.join(", ")}.`, "tn-quiet")
  if (!ways.length) return
  const line = add(place, "p", `${says} `)
  ways.forEach((way, number) => {
    if (number) line.append(", ")
    add(line, "a", way.text).href = way.url
  })
}
