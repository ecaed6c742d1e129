/* How the box for environments tells a page about a machine: an event on the document. */

/** Its detail is what was read, or null when it is to be forgotten. */
export const MACHINE = "tn-machine"

/** @typedef {{version: string, isNightly: boolean, hardware: string[], os: string, architecture: string, macos: string,
 *  python: string, driver: string, build: string, devices: string}} Told empty where the text says nothing */

/** A machine with what was told of it; what was not told stays. @param {object} machine @param {Told} told */
export const withTold = (machine, told) => ({
  ...machine,
  ...Object.fromEntries(Object.entries(told).filter(([name, value]) => name in machine && value.length)),
})
