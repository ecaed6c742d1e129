/* Whether something of a plan can concern a machine, from the conditions that the page writes beside it. Pure. */

/** @typedef {{hardware: string[], uses: string[], os: string, architecture: string, macos: string, python: string,
 *  driver: string, build: string, devices: string}} Machine what one has and uses; empty where nothing is said */

/** @typedef {Record<string, string>} Conditions by name: lists divided by blanks, or bounds; empty means everybody */

const LISTS = ["hardware", "os", "build", "devices"]
const BOUNDED = ["macos", "python", "driver"]

const words = (text) => (text ?? "").split(" ").filter(Boolean)
/** Numbers of a version; the "t" of a Python without its lock is none of them. */
const numbers = (version) => version.replace(/t$/, "").split(".").map(Number)

/** Less than zero when the first version is older, zero when both are the same. */
export const compare = (one, other) => {
  const [left, right] = [numbers(one), numbers(other)]
  const length = Math.max(left.length, right.length)
  for (let at = 0; at < length; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference) return difference
  }
  return 0
}

const HOLDS = {
  "<": (difference) => difference < 0,
  "<=": (difference) => difference <= 0,
  ">": (difference) => difference > 0,
  ">=": (difference) => difference >= 0,
}

/** Whether a version such as "3.11.4" lies within bounds such as ">=3.11,<3.16". */
export const within = (version, bounds) =>
  bounds.split(",").every((bound) => {
    const [, sign, limit] = /^([<>]=?)(.+)$/.exec(bound)
    return HOLDS[sign](compare(version, limit))
  })

const isOneOf = (wanted, chosen) => !wanted.length || !chosen.length || chosen.some((one) => wanted.includes(one))

/** Whether something can concern a machine: what is left open hides nothing.
 *  @param {Conditions} conditions @param {Machine} machine
 *  @param {Map<string, string[]>} implied what one uses with each thing that can be chosen */
export const concerns = (conditions, machine, implied) => {
  const uses = new Set(machine.uses.flatMap((one) => [one, ...(implied.get(one) ?? [])]))
  return (
    LISTS.every((name) => isOneOf(words(conditions[name]), [machine[name]].flat().filter(Boolean))) &&
    BOUNDED.every((name) => !conditions[name] || !machine[name] || within(machine[name], conditions[name])) &&
    (!uses.size || words(conditions.uses).every((one) => uses.has(one)))
  )
}

/** Whether a machine is known to meet the conditions of a step about it, by something that it says of itself.
 *  @param {Conditions & {tags?: string}} conditions */
export const isCertain = (conditions, machine) => {
  const asked = [...BOUNDED, "build"].filter((name) => conditions[name])
  if (asked.length) return asked.every((name) => machine[name])
  return machine.hardware.some((one) => words(conditions.tags).includes(one))
}
