/* Which features are left by what is chosen, and what each click would leave. Pure. One pass over the features: of each
   it must only be known which set of values it has, and there are few different sets. */

/** Features that pass every group, in the order given, and the number for each value of each group: beside a value that
 *  is not chosen how many features a click on it would leave, beside a chosen one how many of those shown have it.
 *  @param {import("./store.js").Index} index
 *  @param {Record<string, string[]>} chosen values by group: all groups must hold, of one group any value
 *  @param {Iterable<number>} numbers features to choose from, in order
 *  @returns {{docs: number[], counts: Map<string, Int32Array>}} */
export const filter = (index, chosen, numbers) => {
  const groups = [...index.groups].map(([name, { values, sets, of }]) => {
    const wanted = new Set((chosen[name] ?? []).map((value) => values.indexOf(value)).filter((value) => value >= 0))
    const passes = sets.map((set) => !wanted.size || set.some((value) => wanted.has(value)))
    return { name, values, sets, of, wanted, passes, inside: new Int32Array(sets.length), only: new Int32Array(sets.length) }
  })
  const docs = []
  for (const number of numbers) {
    let failing = null
    let failures = 0
    for (const group of groups) {
      if (group.passes[group.of[number]]) continue
      failing = group
      failures += 1
      if (failures > 1) break
    }
    if (!failures) {
      docs.push(number)
      for (const group of groups) group.inside[group.of[number]] += 1
    } else if (failures === 1) {
      // One more value of this group is all that it takes to be shown.
      failing.only[failing.of[number]] += 1
    }
  }
  const counts = new Map()
  for (const { name, values, sets, wanted, inside, only } of groups) {
    const found = new Int32Array(values.length)
    sets.forEach((set, at) => {
      for (const value of set) found[value] += wanted.size && !wanted.has(value) ? only[at] : inside[at]
    })
    if (wanted.size) values.forEach((_, value) => (found[value] += wanted.has(value) ? 0 : docs.length))
    counts.set(name, found)
  }
  return { docs, counts }
}
