/* The finder's state ↔ the address of the page. Pure. What can be chosen comes from the page. */

/** @typedef {{q: string, chosen: Record<string, string[]>, sort: string, general: boolean}} State
 *  `chosen` has a list for each group, in the page's order; `sort` is empty for the usual one; `general` is false when
 *  what applies to all hardware is hidden. */

/** @typedef {{groups: Map<string, string[]>, sorts: string[]}} Known what the page offers, in its order */

/** So many letters, even of three bytes each, are an address that servers take. */
const LONGEST = 800

/** @param {URLSearchParams} params @param {Known} known @param {(text: string) => string[]} [resolve] hardware by another name
 *  @returns {{state: State, unknown: {name: string, value: string}[], resolved: {value: string, used: string}[]}} */
export const read = (params, known, resolve = () => []) => {
  const unknown = []
  const resolved = []
  const chosen = {}
  for (const [name, values] of known.groups) {
    const asked = new Set()
    for (const value of params.getAll(name)) {
      if (values.includes(value)) {
        asked.add(value)
        continue
      }
      const used = name === "hardware" ? resolve(value) : []
      if (!used.length) unknown.push({ name, value })
      for (const one of used) {
        asked.add(one)
        resolved.push({ value, used: one })
      }
    }
    chosen[name] = values.filter((value) => asked.has(value))
  }
  const sort = params.get("sort") ?? ""
  const hasSort = known.sorts.includes(sort)
  if (sort && !hasSort) unknown.push({ name: "sort", value: sort })
  const general = params.get("general")
  if (general !== null && general !== "no") unknown.push({ name: "general", value: general })
  const state = { q: (params.get("q") ?? "").slice(0, LONGEST).replace(/\s+/g, " ").trim(), chosen, sort: hasSort ? sort : "", general: general !== "no" }
  return { state, unknown, resolved }
}

/** The address's query for a state, without `?`; empty when nothing is chosen. @param {State} state @param {Known} known */
export const write = (state, known) => {
  const params = new URLSearchParams()
  if (state.q.trim()) params.set("q", state.q.trim().slice(0, LONGEST).trim())
  for (const name of known.groups.keys()) for (const value of state.chosen[name] ?? []) params.append(name, value)
  if (state.sort && state.sort !== usualSort(state) && (state.q.trim() || state.sort !== "relevance")) params.set("sort", state.sort)
  if (!state.general) params.set("general", "no")
  return params.toString()
}

/** How a list is sorted when nobody says how. */
export const usualSort = (state) => (state.q.trim() ? "relevance" : "action")
