/* How the box for environments tells a page about a machine, and what a page makes of it. */

/** An event on the document. Its detail is what was read, or null when it is to be forgotten. */
export const MACHINE = "tn-machine"

/** @typedef {{version: string, isNightly: boolean, hardware: string[], os: string, architecture: string, macos: string,
 *  python: string, driver: string, build: string, devices: string}} Told empty where the text says nothing */

/** What a pasted text adds to a machine, until somebody changes the machine otherwise. */
export class Pasted {
  /** @type {Told | null} */
  told = null
  #before = null

  /** A machine with what is told of it now. What was told before is gone: it was another machine.
   *  @template {object} T @param {T} machine @param {Told} told @returns {T} */
  take(machine, told) {
    this.#before ??= machine
    this.told = told
    const said = Object.entries(told).filter(([name, value]) => name in machine && value.length)
    return { ...this.#before, ...Object.fromEntries(said) }
  }

  /** The machine as it was before. @template {object} T @param {T} machine @returns {T} */
  forget(machine) {
    const before = this.#before ?? machine
    this.drop()
    return before
  }

  /** Somebody has changed the machine: what was pasted no longer says what it is. */
  drop() {
    this.told = null
    this.#before = null
  }
}
