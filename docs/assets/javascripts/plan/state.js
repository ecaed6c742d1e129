/* What a plan is narrowed to ↔ the address of the page. Pure. What can be chosen comes from the page. */

/** @typedef {{machine: import("./match.js").Machine, isDoneHidden: boolean}} State */

/** @typedef {{lists: Map<string, string[]>, choices: Map<string, string[]>, numbers: Map<string, RegExp>}} Known what the page
 *  offers: several of a list, one of a choice, or a version number of a form */

const LONGEST = 60

/** A version number as somebody types it, or empty. @param {Known} known */
export const numberIn = (text, name, known) => {
  const typed = text.trim().slice(0, LONGEST)
  return known.numbers.get(name).test(typed) ? typed : ""
}

/** Nothing chosen. @param {Known} known @returns {import("./match.js").Machine} */
export const nothing = ({ lists, choices, numbers }) => ({
  ...Object.fromEntries([...lists.keys()].map((name) => [name, []])),
  ...Object.fromEntries([...choices.keys(), ...numbers.keys()].map((name) => [name, ""])),
})

/** A machine with what the page can hold of it, and the rest. @param {Record<string, string | string[]>} wanted
 *  @param {Known} known @returns {{machine: import("./match.js").Machine, unknown: {name: string, value: string}[]}} */
export const fitted = (wanted, known) => {
  const machine = nothing(known)
  const unknown = []
  const miss = (name, value) => value && unknown.push({ name, value: String(value).slice(0, LONGEST) })
  for (const [name, values] of known.lists) {
    const asked = [wanted[name] ?? []].flat()
    machine[name] = values.filter((value) => asked.includes(value))
    for (const value of new Set(asked)) if (!values.includes(value)) miss(name, value)
  }
  for (const [name, values] of known.choices) {
    const [value = ""] = [wanted[name] ?? ""].flat()
    if (values.includes(value)) machine[name] = value
    else miss(name, value)
  }
  for (const name of known.numbers.keys()) {
    const [value = ""] = [wanted[name] ?? ""].flat()
    machine[name] = numberIn(value, name, known)
    if (!machine[name]) miss(name, value)
  }
  return { machine, unknown }
}

/** @param {URLSearchParams} params @param {Known} known */
export const read = (params, known) => {
  const names = [...known.lists.keys(), ...known.choices.keys(), ...known.numbers.keys()]
  const { machine, unknown } = fitted(Object.fromEntries(names.map((name) => [name, params.getAll(name)])), known)
  const hide = params.get("hide")
  if (hide !== null && hide !== "done") unknown.push({ name: "hide", value: hide.slice(0, LONGEST) })
  const done = params.get("done")
  return { machine, unknown, isDoneHidden: hide === "done", done: done === null ? null : done.split(".").filter(Boolean) }
}

/** The address's query, without `?`. @param {State} state @param {Known} known @param {string[]} [done] ticks to carry */
export const write = ({ machine, isDoneHidden }, known, done = []) => {
  const params = new URLSearchParams()
  for (const name of known.lists.keys()) for (const value of machine[name]) params.append(name, value)
  for (const name of [...known.choices.keys(), ...known.numbers.keys()]) if (machine[name]) params.set(name, machine[name])
  if (isDoneHidden) params.set("hide", "done")
  // An id holds letters, digits and hyphens: a dot divides them without being written as %2C.
  if (done.length) params.set("done", done.join("."))
  return params.toString()
}
