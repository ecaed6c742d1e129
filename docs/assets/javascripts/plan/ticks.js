/* What is done, kept in this browser for each plan. Where a browser keeps nothing, it lasts as long as the page. */

const KEY = "torchnotes:done:"

export class Ticks {
  #key
  #done
  /** Whether the browser keeps it. */
  isKept = true

  /** @param {string} plan its name @param {string[]} known ids of its steps */
  constructor(plan, known) {
    this.#key = KEY + plan
    this.known = known
    this.#done = new Set()
    this.load()
  }

  /** Read again what is kept: another window may have changed it. */
  load() {
    let kept = null
    try {
      kept = JSON.parse(localStorage.getItem(this.#key) ?? "[]")
    } catch (error) {
      // What is no list of ours is as good as nothing; storage that may not be asked is none.
      this.isKept = error instanceof SyntaxError
    }
    if (this.isKept) this.#done = new Set(Array.isArray(kept) ? kept.filter((id) => this.known.includes(id)) : [])
  }

  /** @returns {string[]} in the plan's order */
  get done() {
    return this.known.filter((id) => this.#done.has(id))
  }

  has(id) {
    return this.#done.has(id)
  }

  set(id, isDone) {
    if (isDone) this.#done.add(id)
    else this.#done.delete(id)
    this.#keep()
  }

  /** @param {string[]} ids */
  replace(ids) {
    this.#done = new Set(ids.filter((id) => this.known.includes(id)))
    this.#keep()
  }

  /** Whether a change of the browser's storage is one of these ticks. */
  isAbout(event) {
    return event.key === this.#key || event.key === null
  }

  #keep() {
    try {
      if (this.#done.size) localStorage.setItem(this.#key, JSON.stringify(this.done))
      else localStorage.removeItem(this.#key)
      this.isKept = true
    } catch {
      this.isKept = false
    }
  }
}
