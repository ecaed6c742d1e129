/* What a release needs, read from its rows in the page, and what that says about a machine. */

import { within } from "./match.js"

/** @typedef {{build: string, platform: string, runs: string}} Code */
/** @typedef {{isStop: boolean, text: string, url: string}} Verdict `url` of a page with more; empty when there is none */
/** @typedef {import("./match.js").Machine} Machine */
/** @typedef {(name: string, value: string) => string} Words words of the page for values */

const YES = "yes"
const NO = "no"
const INSTALL = "install"
const FREE_THREADED = "free-threaded"

const words = (text) => (text ?? "").split(" ").filter(Boolean)
const label = (row) => row.querySelector("[data-label]").textContent

/** @returns {Code} */
const codeOf = (text) => {
  const [build, platform, runs] = text.split(":")
  return { build, platform, runs }
}

/** @param {HTMLElement} element the rows of one release */
export const needsIn = (element) => ({
  /** The build without code for any GPU. */
  processorBuild: element.dataset.processorBuild,
  builds: words(element.dataset.builds).map(codeOf),
  defaults: words(element.dataset.defaultBuilds).map(codeOf),
  limits: [...element.querySelectorAll("[data-limit]")].map((row) => ({
    of: row.dataset.limit,
    stops: row.dataset.stops,
    within: row.dataset.within,
    builds: words(row.dataset.builds),
    hardware: words(row.dataset.hardware),
    label: label(row),
    text: row.querySelector("[data-text]").textContent,
    without: row.querySelector("[data-without]").textContent,
  })),
  platforms: [...element.querySelectorAll("[data-platform]")].map((row) => ({ ...row.dataset, label: row.textContent })),
  served: new Map(
    [...element.querySelectorAll("[data-served]")].map((row) => [
      row.dataset.served,
      {
        label: label(row),
        url: row.querySelector("[data-label]").href,
        codes: words(row.dataset.codes).map(codeOf),
        isAccelerator: "accelerator" in row.dataset,
      },
    ]),
  ),
})

/** @typedef {ReturnType<typeof needsIn>} Needs */

const stop = (text, url = "") => ({ isStop: true, text, url })
const remark = (text, url = "") => ({ isStop: false, text, url })

/** Platforms with wheels that fit what is known of the machine. */
const platformsOf = (needs, machine) =>
  needs.platforms.filter(
    (one) => (!machine.os || one.os === machine.os) && (!machine.architecture || one.architecture === machine.architecture),
  )

/** Whether there is a wheel for a machine, as far as its platform is known. */
const isOffered = (needs, machine) => platformsOf(needs, machine).length > 0

/** Those of some builds that are for platforms that fit. @param {{build: string, platform: string}[]} builds */
const fitting = (needs, machine, builds) => {
  const platforms = new Set(platformsOf(needs, machine).map((one) => one.platform))
  return builds.filter((one) => platforms.has(one.platform))
}

const buildsOf = (codes, labelOf) => [...new Set(codes.map((one) => labelOf("build", one.build)))].join(" or ")

/** Where the machine is, in words: nothing when that is not known. @param {Words} labelOf */
const placeOf = (machine, labelOf) => {
  const parts = []
  if (machine.os) parts.push(` for ${labelOf("os", machine.os)}`)
  if (machine.architecture) parts.push(` on ${labelOf("architecture", machine.architecture)}`)
  return parts.join("")
}

/** What is known about a version on a machine. @param {Needs} needs @param {string} version @param {Machine} machine
 *  @param {Words} labelOf @returns {Verdict[]} what stops it first */
export const verdictsOn = (needs, version, machine, labelOf) => {
  // Where there is no wheel, nothing else matters.
  if (!isOffered(needs, machine)) return [stop(`There is no wheel of ${version}${placeOf(machine, labelOf)}.`)]
  const found = [
    ...limitVerdicts(needs, version, machine, labelOf),
    ...machine.hardware.flatMap((id) => hardwareVerdicts(needs, version, machine, labelOf, id)),
    ...buildVerdicts(needs, version, machine, labelOf),
  ]
  return [...found.filter((one) => one.isStop), ...found.filter((one) => !one.isStop)]
}

/** The value that a limit is about. */
const valueFor = (limit, machine) => {
  if (limit.of === FREE_THREADED) return machine.python.endsWith("t") ? machine.python : ""
  return machine[limit.of] ?? ""
}

/** Whether a limit can matter on the hardware that was named. */
const isAbout = (limit, machine) =>
  !limit.hardware.length || !machine.hardware.length || machine.hardware.some((one) => limit.hardware.includes(one))

const limitVerdicts = (needs, version, machine, labelOf) => {
  const exceeded = needs.limits.filter((limit) => isAbout(limit, machine) && valueFor(limit, machine) && !within(valueFor(limit, machine), limit.within))
  const barred = new Set(exceeded.filter((limit) => limit.stops === INSTALL).map((limit) => limit.of))
  return exceeded
    .filter((limit) => limit.stops === INSTALL || !barred.has(limit.of))
    .flatMap((limit) => limitVerdict(needs, version, machine, labelOf, limit))
}

const limitVerdict = (needs, version, machine, labelOf, limit) => {
  const said = `${limit.label} ${valueFor(limit, machine)}`
  if (!limit.builds.length) return [stop(`${said}: ${version} needs ${limit.text}. ${limit.without}`)]
  // Who has a build for the processor only has no use for a driver, unless there is a GPU that was named.
  if (isPlain(needs, machine) && !acceleratorsOf(needs, machine).length) return []
  const limited = limit.builds.map((one) => labelOf("build", one)).join(" or ")
  const isTaken = fitting(needs, machine, needs.defaults).some((one) => limit.builds.includes(one.build))
  const others = freeBuilds(needs, machine, limit)
  if (!others.length) return [stop(`${said}: ${version} needs ${limit.text}. ${limit.without}`)]
  const names = buildsOf(others, labelOf)
  const taken = isTaken ? ", which a plain pip install takes," : ""
  return [remark(`${said}: the build of ${version} for ${limited}${taken} needs ${limit.text}. That is not known of the build for ${names}.`)]
}

/** Builds with code for the accelerators that were named, to which a limit does not apply. */
const freeBuilds = (needs, machine, limit) => {
  const builds = fitting(needs, machine, needs.builds).filter((one) => !limit.builds.includes(one.build))
  const served = acceleratorsOf(needs, machine)
  return builds.filter((one) =>
    served.length > 0 &&
    served.every(({ codes }) => codes.some((code) => code.build === one.build && code.platform === one.platform && code.runs === YES)),
  )
}

const hardwareVerdicts = (needs, version, machine, labelOf, id) => {
  const served = needs.served.get(id)
  if (!served) return []
  const place = placeOf(machine, labelOf)
  const codes = fitting(needs, machine, served.codes)
  const running = codes.filter((one) => one.runs === YES)
  if (!running.length) {
    if (codes.every((one) => one.runs === NO)) return [stop(`${served.label}: no build of ${version}${place} has code for it.`, served.url)]
    const open = codes.find((one) => one.runs !== NO)
    const plain = fitting(needs, machine, needs.defaults).filter((one) => !codes.some((code) => code.build === one.build && code.runs !== NO))
    const instead = plain.length && served.isAccelerator ? ` A plain pip install takes ${buildsOf(plain, labelOf)}, which is not known to have code for it.` : ""
    return [remark(`${served.label}: the build of ${version} for ${labelOf("build", open.build)} is ${labelOf("runs", open.runs)}.${instead}`, served.url)]
  }
  const isTaken = (one) => needs.defaults.some((other) => other.build === one.build && other.platform === one.platform)
  if (running.some(isTaken)) return []
  return [remark(`${served.label}: only the build of ${version} for ${buildsOf(running, labelOf)} has code for it, not the one that a plain pip install takes.`, served.url)]
}

const buildVerdicts = (needs, version, machine, labelOf) => {
  if (!machine.build || fitting(needs, machine, needs.builds).some((one) => one.build === machine.build)) return []
  const plain = buildsOf(fitting(needs, machine, needs.defaults), labelOf)
  return [remark(`You have the build for ${labelOf("build", machine.build)}. No such build of ${version} is known; a plain pip install brings ${plain}.`)]
}

/** Accelerators among the hardware that was named. */
const acceleratorsOf = (needs, machine) => machine.hardware.map((id) => needs.served.get(id)).filter((one) => one?.isAccelerator)

/** Whether the installed build is for the processor only: on a Mac, the same name stands for one that uses the GPU too. */
const isPlain = (needs, machine) =>
  machine.build === needs.processorBuild &&
  ![...needs.served.values()].some(
    (one) => one.isAccelerator && fitting(needs, machine, one.codes).some((code) => code.build === machine.build && code.runs === YES),
  )

/** What is wrong with what is installed already: a GPU that its build cannot use. @param {Needs | undefined} needs of the
 *  installed version, where it is described @param {string} version @param {Machine} machine @param {Words} labelOf
 *  @returns {Verdict[]} */
export const lackingIn = (needs, version, machine, labelOf) => {
  if (!needs || !machine.build) return []
  return machine.hardware.flatMap((id) => {
    const served = needs.served.get(id)
    if (!served?.isAccelerator) return []
    const codes = fitting(needs, machine, served.codes).filter((one) => one.build === machine.build)
    const isUnused = codes.length ? codes.every((one) => one.runs === NO) : isPlain(needs, machine)
    if (!isUnused) return []
    return [remark(`${served.label}: the installed build, for ${labelOf("build", machine.build)}, has no code for it${version ? ` in ${version}` : ""}.`, served.url)]
  })
}

/** What would be asked of a machine to say more, and is not known of it. */
export const missingFor = (needs, machine) => {
  const missing = []
  if (!machine.hardware.length) missing.push("hardware")
  if (!machine.os) missing.push("system")
  for (const limit of needs.limits) {
    if (limit.of === FREE_THREADED || valueFor(limit, machine) || !isAbout(limit, machine)) continue
    // Only one system has versions here.
    if (limit.of in SYSTEMS && machine.os !== limit.of) continue
    if (!missing.includes(limit.label)) missing.push(limit.label)
  }
  return missing
}

const SYSTEMS = { macos: true }

/** Whether one of the builds of a release, on its platforms and for its hardware, can be taken on a machine.
 *  @param {{build: string, platforms: string[], hardware: string[]}} option */
export const canTake = (needs, machine, option) => {
  const platforms = platformsOf(needs, machine).map((one) => one.platform).filter((one) => option.platforms.includes(one))
  if (!platforms.length) return false
  if (!machine.hardware.length) return true
  return machine.hardware.some((id) => {
    const codes = needs.served.get(id)?.codes.filter((one) => one.build === option.build && platforms.includes(one.platform)) ?? []
    return codes.length ? codes.some((one) => one.runs !== NO) : option.hardware.includes(id)
  })
}
