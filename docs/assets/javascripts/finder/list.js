/* A state → the list that it asks for. Pure: reads the index, touches no page. */

import { filter } from "./facets.js"
import { search } from "./search.js"
import { usualSort } from "./state.js"

/** @typedef {{index: import("./store.js").Index, state: import("./state.js").State, found: import("./search.js").Found,
 *    docs: number[], counts: Map<string, Int32Array>}} Answer
 *  `docs` are the features shown, in order; `counts` is what each facet would leave. */

/** @param {import("./search.js").Found} [found] what the words find, when that is known already @returns {Answer} */
export const listFor = (index, state, found = search(index, state.q)) => {
  const numbers = ordered(index, state, found).filter((number) => !isHidden(index, state, number))
  return { index, state, found, ...filter(index, state.chosen, numbers) }
}

/** Features before the facets, in the order asked for. */
const ordered = (index, state, found) => {
  const sort = state.sort || usualSort(state)
  const everything = sort === "newest" ? index.newest : Array.from({ length: index.count }, (_, number) => number)
  if (!found.docs) return everything
  if (sort === "relevance") return found.docs
  const kept = new Set(found.docs)
  return everything.filter((number) => kept.has(number))
}

/** Whether a feature is hidden because it applies to all hardware. */
const isHidden = (index, { general, chosen }, number) => !general && isGeneral(index, number, chosen.hardware)

/** Whether a feature is shown for some hardware only because it applies to all. */
export const isGeneral = (index, number, hardware) =>
  hardware.length > 0 && hardware.every((id) => index.isGeneral(number, id))

/** Whether a feature is shown for a hardware. */
export const reaches = (index, number, hardwareId) => {
  const { values, sets, of } = index.groups.get("hardware")
  return sets[of[number]].includes(values.indexOf(hardwareId))
}

/** How many features reach a hardware in which way, the nearest way first. @returns {[string, number][]} */
export const waysTo = (index, numbers, hardwareId) => {
  const [own, ...above] = index.chain(hardwareId)
  const ways = [["by its own name", 0], ["by a part of it", 0], ...above.map(() => ["", 0])]
  for (const number of numbers) {
    if (!reaches(index, number, hardwareId)) continue
    const tags = index.tags(number)
    const step = above.findIndex((one) => tags.includes(one))
    const way = ways[tags.includes(own) ? 0 : step < 0 ? 1 : step + 2]
    way[0] ||= `for ${index.reason(number, hardwareId)}`
    way[1] += 1
  }
  return ways.filter(([, count]) => count)
}
