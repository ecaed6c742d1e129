/* The facets in the page: what can be chosen, what is chosen, and the number beside each value. */

import { listFor } from "./list.js"
import { put } from "./writing.js"

export class Choices {
  #form
  #choices = []
  #labels = new Map()
  #legends = new Map()
  /** Values by group, in the page's order. @type {Map<string, string[]>} */
  groups = new Map()

  /** @param {HTMLFormElement} form the facets as the template wrote them */
  constructor(form) {
    this.#form = form
    for (const box of form.querySelectorAll("input")) {
      const label = box.closest("label")
      if (!this.groups.has(box.name)) this.groups.set(box.name, [])
      this.groups.get(box.name).push(box.value)
      this.#labels.set(`${box.name}=${box.value}`, label.querySelector("[data-label]").textContent)
      this.#choices.push({ box, label, count: label.querySelector("[data-facet-count]"), shown: -1 })
    }
    for (const facet of form.querySelectorAll("[data-facet]")) {
      this.#legends.set(facet.dataset.facet, facet.querySelector("[data-legend]").textContent)
    }
  }

  legend(name) {
    return this.#legends.get(name) ?? name
  }

  label(name, value) {
    return this.#labels.get(`${name}=${value}`) ?? value
  }

  /** What is checked, by group. @returns {Record<string, string[]>} */
  get chosen() {
    const chosen = this.none
    for (const { box } of this.#choices) if (box.checked) chosen[box.name].push(box.value)
    return chosen
  }

  /** Nothing, by group. @returns {Record<string, string[]>} */
  get none() {
    return Object.fromEntries([...this.groups.keys()].map((name) => [name, []]))
  }

  /** What is chosen, and a value more, in the page's order. */
  with(chosen, name, value) {
    const values = this.groups.get(name).filter((one) => one === value || chosen[name].includes(one))
    return { ...chosen, [name]: values }
  }

  /** Check what is chosen, and unfold what that is in. @param {Record<string, string[]>} chosen */
  check(chosen) {
    for (const { box } of this.#choices) {
      const isChosen = chosen[box.name].includes(box.value)
      // What somebody checked by hand is in sight, or was folded away again by hand.
      if (isChosen && !box.checked) {
        for (let around = box.closest("details"); around; around = around.parentElement.closest("details")) around.open = true
      }
      box.checked = isChosen
    }
  }

  /** @param {import("./list.js").Answer} answer */
  drawCounts({ index, state, found, counts }) {
    for (const choice of this.#choices) {
      const { name, value } = choice.box
      choice.at ??= index.groups.get(name)?.values.indexOf(value) ?? -1
      let count = counts.get(name)?.[choice.at] ?? 0
      // To choose all hardware shows again what was hidden.
      if (!state.general && name === "hardware" && value === index.everything) {
        count = listFor(index, { ...state, chosen: this.with(state.chosen, name, value), general: true }, found).docs.length
      }
      // Most counts stay as they are with each letter.
      if (choice.shown === count) continue
      choice.shown = count
      choice.count.textContent = count
      choice.label.classList.toggle("tn-choice--none", count === 0)
    }
    for (const facet of this.#form.querySelectorAll("[data-facet]")) {
      const number = state.chosen[facet.dataset.facet].length
      put(facet.querySelector("[data-chosen]"), number ? `${number} chosen` : "")
    }
  }
}
