/* The finder's state ↔ the address of the page. Pure. What can be chosen comes from the page. */

/** @typedef {{q: string, chosen: Record<string, string[]>, sort: string, general: boolean}} State
 *  `chosen` has a list for each group, in the page's order; `sort` is empty for the usual one; `general` is false when
 *  what applies to all hardware is hidden. */

/** @typedef {{groups: Map<string, string[]>, sorts: string[]}} Known what the page offers, in its order */

/** So many letters, even of three bytes each, are an address that servers take. */
const LONGEST = 800

/** What a text in the box asks for, as its address gives it back. @param {string} text */
export const asked = (text) => {
  const kept = text.slice(0, 4 * LONGEST).replace(/\s+/g, " ").trim().slice(0, LONGEST)
  // Half of a letter is none.
  return kept.replace(/[\uD800-\uDBFF]$/, "").trim()
}

/** @param {URLSearchParams} params @param {Known} known @param {(text: string) => string[]} [resolve] hardware by another name
 *  @returns {{state: State, unknown: {name: string, value: string}[], resolved: {value: string, used: string}[]}} */
export const read = (params, known, resolve = () => []) => {
  const unknown = []
  const resolved = []
  const chosen = {}
  for (const [name, values] of known.groups) {
    const wanted = new Set()
    for (const value of params.getAll(name)) {
      if (values.includes(value)) {
        wanted.add(value)
        continue
      }
      const used = name === "hardware" ? resolve(value) : []
      if (!used.length) unknown.push({ name, value })
      for (const one of used) {
        wanted.add(one)
        resolved.push({ value, used: one })
      }
    }
    chosen[name] = values.filter((value) => wanted.has(value))
  }
  const sort = params.get("sort") ?? ""
  const hasSort = known.sorts.includes(sort)
  if (sort && !hasSort) unknown.push({ name: "sort", value: sort })
  const general = params.get("general")
  if (general !== null && general !== "no") unknown.push({ name: "general", value: general })
  const state = { q: asked(params.get("q") ?? ""), chosen, sort: hasSort ? sort : "", general: general !== "no" }
  return { state, unknown, resolved }
}

/** The address's query for a state, without `?`; empty when nothing is chosen. @param {State} state @param {Known} known */
export const write = (state, known) => {
  const params = new URLSearchParams()
  if (state.q) params.set("q", state.q)
  for (const name of known.groups.keys()) for (const value of state.chosen[name] ?? []) params.append(name, value)
  if (state.sort && !isUsual(state)) params.set("sort", state.sort)
  if (!state.general) params.set("general", "no")
  return params.toString()
}

/** Whether a state's sort is what it would be anyway: without words nothing is more relevant. */
export const isUsual = (state) => state.sort === usualSort(state) || (state.sort === "relevance" && !state.q)

/** How a list is sorted when nobody says how. */
export const usualSort = (state) => (state.q ? "relevance" : "action")
