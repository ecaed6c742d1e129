/* The index that Python made (torchnotes/index), fetched in two steps and opened for reading. Knows no page. */

import { stem } from "./text.js"

const FORMAT = 1
const SITE = new URL("../../../", import.meta.url)

let opening = null
let cache = "default"

/** The index of this site; the same one each time, and a new try after a failure. @returns {Promise<Index>} */
export const openIndex = () => {
  opening ??= fetched("search/heads.json")
    .then((heads) => new Index(heads, () => wordsFor(heads)))
    .catch(startAnew)
  return opening
}

const startAnew = (error) => {
  opening = null
  // What failed must not come from the same place again.
  cache = "reload"
  throw error
}

/** The words of the same build: those of another would name other features. */
const wordsFor = (heads) =>
  fetched("search/words.json")
    .then((words) => {
      if (words.stamp !== heads.stamp) throw new Error("the two files of the index are of different builds")
      return words
    })
    .catch(startAnew)

const fetched = async (path) => {
  const answer = await fetch(new URL(path, SITE), { cache })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  const content = await answer.json()
  if (content.format !== FORMAT) throw new Error(`${path}: format ${content.format}, and this page reads ${FORMAT}`)
  return content
}

/** Features by number, most urgent first, and all that is known about them without opening their pages. */
export class Index {
  #heads
  #fetchWords
  #words = null
  #loading = null
  #silent
  #newest = null
  #texts = {}

  /** @param {object} heads content of heads.json @param {() => Promise<object>} fetchWords brings words.json */
  constructor(heads, fetchWords) {
    this.#heads = heads
    this.#fetchWords = fetchWords
    this.#silent = new Set(heads.silent)
    this.count = heads.features.length / 3
    this.groups = new Map(Object.entries(heads.groups))
    this.hardware = new Map(heads.hardware.map((one) => [one.id, { ...one, url: this.#address(one.url) }]))
    this.devices = heads.devices
    this.kinds = heads.kinds
    this.pages = heads.pages.map(([kind, title, url, words]) => ({ kind, title, url: this.#address(url), words }))
    this.silentWords = new Set(heads.silentWords.split(" "))
    this.apiNames = []
  }

  #address(path) {
    return new URL(path, SITE).href
  }

  id(number) {
    return this.#heads.features[3 * number]
  }

  title(number) {
    return this.#heads.features[3 * number + 1]
  }

  url(number) {
    return this.#address(this.#heads.address.replace("*", this.id(number)))
  }

  /** One sentence; null until the words are there. */
  summary(number) {
    return this.#words?.summaries[number] ?? null
  }

  /** Identifiers and messages, each as written; identifiers without what stands before their last name until the words are there. */
  names(number) {
    const packed = this.#heads.features[3 * number + 2]
    const leaves = packed ? packed.split("\n") : []
    if (!this.#words) return leaves
    const { values, of } = this.#words.prefixes
    const names = leaves.map((leaf, at) => values[of[number][at]] + leaf)
    return [...names, ...this.#words.messages[number].split("\n").filter(Boolean)]
  }

  /** Everything of a feature that is at hand as it was written, in lower case. */
  text(number) {
    if (this.#texts.ready !== this.ready) this.#texts = { ready: this.ready, of: new Array(this.count) }
    const said = () => [this.title(number).replaceAll("`", ""), this.summary(number)?.replaceAll("`", ""), ...this.names(number)]
    return (this.#texts.of[number] ??= said().join("\n").toLowerCase())
  }

  value(name, number) {
    const group = this.groups.get(name)
    return group.values[group.sets[group.of[number]][0]]
  }

  isSilent(number) {
    return this.#silent.has(number)
  }

  /** Features of the newest version first; within a version by urgency. */
  get newest() {
    if (!this.#newest) {
      // Versions are listed newest first.
      const { sets, of } = this.groups.get("version")
      this.#newest = Array.from({ length: this.count }, (_, number) => number)
      this.#newest.sort((one, other) => sets[of[one]][0] - sets[of[other]][0] || one - other)
    }
    return this.#newest
  }

  /** Numbers of the hardware that a feature names. */
  tags(number) {
    const { tags, of } = this.groups.get("hardware")
    return tags[of[number]]
  }

  /** Number of a hardware and of what is above it, nearest first. @returns {number[]} */
  chain(hardwareId) {
    const found = []
    let at = this.#heads.hardware.findIndex((one) => one.id === hardwareId)
    while (at >= 0 && !found.includes(at)) {
      found.push(at)
      at = this.#heads.hardware[at].parent
    }
    return found
  }

  /** Why a feature is shown for a hardware: its own name, or what is above or below it. */
  reason(number, hardwareId) {
    const [own, ...above] = this.chain(hardwareId)
    const tags = this.tags(number)
    const { hardware } = this.#heads
    if (tags.includes(own)) return tags.length === 1 ? hardware[own].only : hardware[own].label
    const inherited = above.find((one) => tags.includes(one))
    if (inherited !== undefined) return hardware[inherited].all
    return tags.map((one) => hardware[one].label).join(", ")
  }

  /** Whether a feature is shown for a hardware only because it is for all hardware. */
  isGeneral(number, hardwareId) {
    const tags = this.tags(number)
    return tags.length === 1 && tags[0] === this.#heads.root && hardwareId !== this.everything
  }

  /** Id of what stands for all hardware; undefined when there is no such thing. */
  get everything() {
    return this.#heads.hardware[this.#heads.root]?.id
  }

  get ready() {
    return this.#words !== null
  }

  /** Resolves when summaries and words are there; a new try after a failure. @returns {Promise<void>} */
  get words() {
    this.#loading ??= this.#fetchWords()
      .then((content) => {
        const words = content.words.split(" ")
        const postings = content.postings.split(" ")
        const named = (name, { kind, url }) => ({ kind, title: name, url: this.#address(url.replace("*", name)), words: "", isName: true })
        this.apiNames = content.api.flatMap((one) => one.names.split(" ").filter(Boolean).map((name) => named(name, one)))
        this.#words = { ...content, list: words, at: new Map(words.map((word, at) => [word, at])), postings, stems: null }
      })
      .catch((error) => {
        this.#loading = null
        throw error
      })
    return this.#loading
  }

  /** All words, in order. */
  get vocabulary() {
    return this.#words.list
  }

  hasWord(word) {
    return this.#words.at.has(word)
  }

  /** How many features have a word. */
  frequency(word) {
    let count = 0
    this.each(word, () => (count += 1))
    return count
  }

  /** Words with the same stem. @returns {string[]} */
  kin(word) {
    if (!this.#words.stems) {
      this.#words.stems = new Map()
      for (const one of this.#words.list) {
        if (!/^[a-z]{3,}$/.test(one)) continue
        const key = stem(one)
        const known = this.#words.stems.get(key)
        if (known) known.push(one)
        else this.#words.stems.set(key, [one])
      }
    }
    return this.#words.stems.get(stem(word)) ?? []
  }

  /** Call `see(feature, strength from 0 to 1)` for each feature that has a word. */
  each(word, see) {
    const at = this.#words.at.get(word)
    if (at === undefined) return
    const { levels } = this.#words
    const postings = this.#words.postings[at]
    let feature = -1
    let step = ""
    for (const sign of postings) {
      const level = levels.indexOf(sign)
      if (level < 0) {
        step += sign
        continue
      }
      feature += step ? parseInt(step, 36) : 1
      step = ""
      see(feature, (level + 1) / levels.length)
    }
  }
}
