/* The box for what a machine says of itself: reads it in this browser, shows what was recognised and what was not, and
   tells the page. It makes no request when it reads: the index is there before. */

import { read } from "./environment/read.js"
import { openIndex } from "./finder/store.js"
import { add, at, put, quoted } from "./finder/writing.js"
import { MACHINE } from "./plan/machine.js"

const MOST_REMARKS = 8
/** So long nobody typed, in milliseconds. */
const SETTLED = 400
const LONGEST_NAME = 80
const [ONE, SEVERAL] = ["one", "several"]
const MAC = "macos"

/** The hardware that a device is, where its name does not say it. */
const familyOf = ({ hardware, label }, index) => {
  if (!hardware) return " (not known here)"
  const family = index.hardware.get(hardware).label
  return family === label ? "" : ` → ${family}`
}

/** The page's word for a system, where its own text does not hold it: "Ubuntu 24.04" is Linux. */
const systemOf = ({ id, text }) => {
  const word = document.querySelector(`[data-word=os][data-value="${id}"]`)?.textContent ?? id
  return text?.toLowerCase().includes(word.toLowerCase()) ? null : word
}

/** Words for one line of the answer; null when the text says nothing about it. */
const SAID = {
  version: ({ version }) => version && (version.isNightly ? `${version.text} (a nightly build)` : version.text),
  hardware: ({ devices }, index) => devices.map((one) => `${one.count} × ${one.label}${familyOf(one, index)}`).join(", "),
  driver: ({ driver }) => driver?.text,
  os: ({ os }) => os.id && [os.text, systemOf(os), os.isWsl && "WSL", os.isJetson && "Jetson"].filter(Boolean).join(", "),
  python: ({ python }) => python && (python.isFreeThreaded ? `${python.value ?? python.text}, free-threaded` : python.value ?? python.text),
}

/** @param {import("./environment/read.js").Reading} reading @returns {import("./plan/machine.js").Told} */
const told = (reading) => {
  const { os, devices, python } = reading
  const count = devices.reduce((sum, one) => sum + one.count, 0)
  const devicesOfMac = os.id === MAC && count ? ONE : ""
  return {
    version: reading.version?.value ?? "",
    isNightly: reading.version?.isNightly ?? false,
    hardware: [...new Set(devices.map((one) => one.hardware).filter(Boolean))],
    os: os.id ?? "",
    architecture: reading.architecture ?? "",
    macos: os.id === MAC ? os.version ?? "" : "",
    python: python?.value ? `${python.value}${python.isFreeThreaded ? "t" : ""}` : "",
    driver: reading.driver?.value ?? "",
    build: reading.build ?? "",
    // A machine with one device may be one of many in a job, but a Mac is not.
    devices: count > 1 ? SEVERAL : devicesOfMac,
  }
}

/** A browser asks for the icon again with each new address. Where it is in the page, narrowing makes no request. */
const keepIcon = async () => {
  const icon = document.querySelector("link[rel=icon]")
  if (!icon?.href.endsWith(".svg")) return
  const answer = await fetch(icon.href)
  if (answer.ok) icon.href = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`
}

class Environment extends HTMLElement {
  #opening = null
  #turn = 0
  #waiting = 0

  connectedCallback() {
    const form = at(this, "form")
    Promise.allSettled([this.#open(), keepIcon()]).then(() => (this.dataset.ready = ""))
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      this.#read({ isAsked: true })
    })
    // The text is in the box only after the event.
    this.#box.addEventListener("paste", () => setTimeout(() => this.#read({ isAsked: false })))
    // What was put in otherwise, by a drop or by hand, is read when it says something.
    this.#box.addEventListener("input", () => {
      clearTimeout(this.#waiting)
      this.#waiting = setTimeout(() => this.#read({ isAsked: false, isTyped: true }), SETTLED)
    })
    this.#box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      this.#read({ isAsked: true })
    })
    at(this, "forget").addEventListener("click", () => this.#forget())
  }

  get #box() {
    return this.querySelector("textarea")
  }

  /** The index; a failure is told when somebody asks, and then it is tried anew. */
  #open() {
    this.#opening ??= openIndex().catch((error) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  /** @param {{isAsked: boolean, isTyped?: boolean}} how by a press, and then the answer gets the focus: who pastes may want
   *  to go on typing; or while somebody types, and then half a word is no mistake */
  async #read({ isAsked, isTyped = false }) {
    clearTimeout(this.#waiting)
    this.#turn += 1
    const turn = this.#turn
    const text = this.#box.value
    if (!text.trim()) return
    let reading = null
    let index = null
    try {
      index = await this.#open()
      // Somebody has pasted or emptied meanwhile.
      if (turn !== this.#turn) return
      reading = read(text, index)
    } catch {
      if (turn !== this.#turn) return
    }
    if (isTyped && (!reading || reading.kind === "nothing")) return
    this.#draw(reading, index)
    if (reading && reading.kind !== "nothing") this.#tell(told(reading))
    if (isAsked) at(this, "answer").focus({ preventScroll: true })
    else put(at(this, "said"), at(this, "title").textContent)
  }

  #tell(detail) {
    this.dispatchEvent(new CustomEvent(MACHINE, { bubbles: true, detail }))
  }

  #forget() {
    this.#turn += 1
    this.#box.value = ""
    at(this, "answer").hidden = true
    at(this, "forget").hidden = true
    this.#tell(null)
    this.#box.focus()
  }

  /** @param {import("./environment/read.js").Reading | null} reading null when the index could not be had */
  #draw(reading, index) {
    at(this, "answer").hidden = false
    at(this, "forget").hidden = false
    at(this, "read").hidden = !reading || reading.kind === "nothing"
    const remarks = at(this, "remarks")
    remarks.replaceChildren()
    if (!reading) {
      put(at(this, "title"), "The list of devices could not be loaded, so nothing was read. Try again.")
      return
    }
    put(at(this, "title"), this.#titleOf(reading))
    // Names of devices were given, and nothing else was asked of them.
    const isNames = reading.kind === "names"
    for (const place of this.querySelectorAll("[data-environment]")) {
      const name = place.dataset.environment
      const said = (SAID[name] ?? ((all) => all[name]))(reading, index)
      const isMissing = reading.unknown.includes(name) && !isNames
      put(place, said || "could not be told")
      place.parentElement.hidden = !(said || isMissing)
    }
    for (const remark of this.#remarksOn(reading).slice(0, MOST_REMARKS)) add(remarks, "li", remark)
  }

  #titleOf(reading) {
    if (reading.kind === "nothing") return "Nothing was recognised"
    if (reading.kind === "names" && reading.devices.every((one) => !one.hardware)) return "Not known here"
    if (reading.kind === "packages" && !reading.version) return "A list of packages without torch"
    return "Recognised"
  }

  #remarksOn(reading) {
    const cut = reading.cut ? ["Only a part of the text was read: it is too long, or holds more than one environment."] : []
    if (reading.kind === "nothing") return ["Paste the whole output, or the name of a GPU as its maker writes it.", ...cut]
    const strangers = reading.devices.filter((one) => !one.hardware)
    return [
      ...strangers.map((one) => `${quoted(one.text, LONGEST_NAME)} is not in the list of devices. Nothing is concluded from it: choose its family by hand.`),
      ...cut,
    ]
  }
}

customElements.define("tn-environment", Environment)
