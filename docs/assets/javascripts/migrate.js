/* The page on which one chooses an upgrade: leads to the plan, with what is known of the machine, and says which versions
   it can take. A plan sends its reader here with a machine in the address; what is pasted here stays out of it, since a
   browser asks for the icon of each new address, and no request is promised. */

import { at } from "./finder/writing.js"
import { MACHINE, Pasted } from "./plan/machine.js"
import { compare } from "./plan/match.js"
import { lackingIn, missingFor, needsIn, verdictsOn } from "./plan/needs.js"
import { fitted, read, write } from "./plan/state.js"
import { drawVerdicts } from "./plan/verdicts.js"
import { wordsIn } from "./plan/words.js"

const NUMBER = /^\d{1,6}(?:\.\d{1,6}){0,3}t?$/
const NUMBERS = ["python", "macos", "driver"]
const CHOICES = ["os", "architecture", "build", "devices"]

const releaseOf = (version) => version.split(".").slice(0, 2).join(".")

class Upgrade extends HTMLElement {
  #known
  #machine
  #pasted = new Pasted()
  #unknown = []
  #needs
  #words

  connectedCallback() {
    const form = at(this, "choose")
    this.#words = wordsIn(this)
    this.#needs = new Map([...document.querySelectorAll("[data-needs]")].map((one) => [one.dataset.needs, needsIn(one)]))
    const hardware = this.dataset.hardware.split(" ")
    const choices = CHOICES.map((name) => [name, [...this.querySelectorAll(`[data-word=${name}]`)].map((one) => one.dataset.value)])
    this.#known = { lists: new Map([["hardware", hardware]]), choices: new Map(choices), numbers: new Map(NUMBERS.map((name) => [name, NUMBER])) }
    this.#readAddress()
    form.addEventListener("change", () => this.#draw())
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      if (this.#isWay(this.#to.value)) location.assign(this.#address(this.#to.value))
    })
    window.addEventListener("popstate", () => {
      this.#readAddress()
      this.#draw()
    })
    document.addEventListener(MACHINE, (event) => this.#hear(event.detail))
    this.dataset.ready = ""
    this.#draw()
  }

  get #from() {
    return this.querySelector("[name=from]")
  }

  get #to() {
    return this.querySelector("[name=to]")
  }

  #readAddress() {
    const { machine, unknown } = read(new URLSearchParams(location.search), this.#known)
    this.#machine = machine
    this.#unknown = unknown
    this.#pasted.drop()
    const start = new URLSearchParams(location.search).get("from")
    if ([...this.#from.options].some((option) => option.value === start)) this.#from.value = start
  }

  #isWay(target) {
    return this.dataset.pairs.split(" ").includes(`${this.#from.value}-to-${target}`)
  }

  /** Address of the plan to a version. A build that the start does not have says nothing there. */
  #address(target) {
    const builds = this.#needs.get(releaseOf(this.#from.value))?.builds ?? []
    const build = builds.some((one) => one.build === this.#machine.build) ? this.#machine.build : ""
    const query = write({ machine: { ...this.#machine, build }, isDoneHidden: false }, this.#known)
    return new URL(`${this.#from.value}-to-${target}/${query ? `?${query}` : ""}`, new URL(".", location.href)).href
  }

  #hear(told) {
    const machine = told ? this.#pasted.take(this.#machine, told) : this.#pasted.forget(this.#machine)
    // The build of an old version is not on offer, and yet says something.
    this.#machine = { ...fitted(machine, this.#known).machine, build: machine.build }
    this.#unknown = []
    const before = [...this.#from.options].map((option) => option.value).filter((one) => told?.version && compare(one, told.version) <= 0)
    if (before.length) this.#from.value = before.at(-1)
    this.#draw()
  }

  #draw() {
    const target = this.#to.value
    const isWay = this.#isWay(target)
    this.querySelector("[type=submit]").disabled = !isWay
    const place = at(this, "note")
    const unknown = this.#unknown.map(({ name, value }) => `${name}=${value} is not known here and was ignored.`)
    const notes = [...unknown, ...this.#notesOnVersion(), ...(isWay ? [] : ["That is no upgrade: choose a later version to go to."])]
    place.hidden = !notes.length
    place.replaceChildren(...notes.map((text) => Object.assign(document.createElement("p"), { textContent: text })))
    const machine = this.#machine
    const needs = this.#needs.get(releaseOf(target))
    const verdicts = verdictsOn(needs, target, machine, this.#words)
    const version = this.#pasted.told?.version ?? ""
    drawVerdicts(at(this, "verdicts"), {
      isAsked: Object.values(machine).some((value) => value.length),
      verdicts: [...verdicts, ...lackingIn(this.#needs.get(releaseOf(version)) ?? needs, version, machine, this.#words)],
      missing: missingFor(needs, machine),
      says: "Versions that nothing is known to stop:",
      ways: verdicts.some((one) => one.isStop) ? this.#waysThatFit() : [],
    })
  }

  /** Plans to versions that nothing is known to stop. */
  #waysThatFit() {
    return [...this.#to.options]
      .map((option) => option.value)
      .filter((target) => !verdictsOn(this.#needs.get(releaseOf(target)), target, this.#machine, this.#words).some((one) => one.isStop))
      .map((target) => (this.#isWay(target) ? { text: target, url: this.#address(target) } : { text: target, url: `#needs-${releaseOf(target).replace(".", "-")}` }))
  }

  #notesOnVersion() {
    const { version, isNightly } = this.#pasted.told ?? {}
    if (!version) return []
    if (isNightly) return [`You have a nightly build of ${version}, which is between two releases: no plan describes it exactly.`]
    const starts = [...this.#from.options].map((option) => option.value)
    const newest = this.#to.options[0].value
    if (starts.includes(version)) return []
    if (compare(version, starts[0]) < 0) return [`${version} is older than ${starts[0]}. Plans begin at ${starts[0]}; what changed before is not described here.`]
    if (compare(version, newest) >= 0) return [`You have ${version}: there is no newer version here.`]
    return [`${version} is not described here. The plan begins at ${this.#from.value}, the nearest version before it.`]
  }
}

customElements.define("tn-upgrade", Upgrade)
