/* A text that somebody typed or pasted → features by relevance. Pure: reads the index, touches no page, never throws.

   A word finds features by itself, by words with the same stem, as a beginning, split or joined, and last by one typing
   error; each way counts less than the one before. Identifiers are never guessed at. Features with every word come
   first, then those with most of the weight: rare words weigh more. How strongly a feature has a word was worked out by
   Python. `docs/search.md` explains it to readers. */

import { recognise } from "./devices.js"
import { differByOne, spelling, wordsOf } from "./text.js"

const LONGEST_TEXT = 2000
const MOST_WORDS = 60
const MOST_BEGINNINGS = 40
/** A longer text was pasted, and what nothing matches in it is no typing error. */
const MOST_GUESSED = 10

/** How much each way of finding a word counts. */
const WAY = { whole: 1, kin: 0.85, joined: 0.8, parts: 0.7, split: 0.7, beginning: 0.6, guess: 0.5, fragment: 0.3 }
/** How much a named hardware counts by how a feature names it: itself, something below it, or the nth above it. Only the
 *  first two are as good as the word. */
const OWN = 1
const BELOW = 0.6
const ABOVE = [0.3, 0.2, 0.12, 0.1]
const HARDWARE_WEIGHT = 4
/** A feature without every word is shown when it has this part of the best score. */
const ENOUGH = 0.4
const RERANKED = 60
const NEIGHBOURS = 0.2
/** A message or an identifier of this length in the query is no chance. */
const SURELY_OWN = 12

/** @typedef {{docs: number[] | null, full: number, corrected: {typed: string, used: string}[], missing: string[],
 *    words: string[], cut: boolean, mark: (text: string) => {text: string, hit: boolean}[], names: (n: number) => string[]}} Found */

/** @param {import("./store.js").Index} index @param {string} text @returns {Found} */
export const search = (index, text) => {
  const asked = text.slice(0, LONGEST_TEXT)
  const units = unitsOf(index, asked)
  const cut = text.length > LONGEST_TEXT || units.length > MOST_WORDS
  const kept = units.slice(0, MOST_WORDS)
  const found = { docs: null, full: 0, corrected: [], missing: [], words: kept.map((unit) => unit.typed), cut }
  const hits = new Set()
  if (kept.length) {
    if (index.ready) rank(index, asked, kept, hits, found)
    else scan(index, kept, hits, found)
  }
  found.mark = (shown) => marked(shown, hits, kept)
  found.names = (number) => namesWorthShowing(index, number, found)
  return found
}

/** Words that a feature should have, each once; a hardware name of several words is one of them. */
const unitsOf = (index, text) => {
  const named = recognise(index, text)
  const all = wordsOf(text)
  const loud = all.filter((word) => !index.silentWords.has(word.whole))
  const units = []
  const seen = new Set()
  for (const word of loud) {
    const hardware = named.filter((one) => one.start <= word.start && word.end <= one.end)
    const key = hardware.length ? `${hardware[0].start}` : word.whole
    const before = hardware.length && units.find((unit) => unit.key === key)
    if (before) before.words.push(word)
    else if (!seen.has(word.whole)) {
      units.push({ key, words: [word], hardware, typed: hardware.length ? hardware[0].typed : text.slice(word.start, word.end) })
    }
    seen.add(word.whole)
  }
  // The last word may be a beginning, whether one types on or not: an address says nothing about that.
  if (units.length) units.at(-1).isOpen = true
  for (const unit of units) unit.mayBeGuessed = units.length <= MOST_GUESSED
  return units
}

/** Before the words are there: titles and identifiers that hold what was typed. */
const scan = (index, units, hits, found) => {
  const wanted = units.flatMap((unit) => unit.words.map((word) => word.whole))
  wanted.forEach((word) => hits.add(word))
  const scored = []
  for (let number = 0; number < index.count; number += 1) {
    const text = index.text(number)
    const score = wanted.reduce((sum, word) => sum + text.includes(word), 0)
    if (score * 2 >= wanted.length) scored.push([number, score])
  }
  scored.sort((one, other) => other[1] - one[1] || one[0] - other[0])
  found.docs = scored.map(([number]) => number)
  found.full = scored.filter(([, score]) => score === wanted.length).length
}

const rank = (index, text, units, hits, found) => {
  for (const unit of units) strengthsOf(index, unit, hits, found)
  joinNeighbours(index, units, hits)
  const required = []
  const missing = new Set()
  for (const unit of units) {
    const reached = unit.strengths.reduce((count, strength) => count + (strength > 0), 0)
    unit.weight = unit.hardware.length ? HARDWARE_WEIGHT : Math.log(1 + (index.count - reached + 0.5) / (reached + 0.5))
    if (!reached || unit.isWeak) missing.add(unit.typed)
    else required.push({ strengths: unit.strengths, least: unit.hardware.length ? BELOW : Number.MIN_VALUE })
  }
  found.missing = [...missing]
  const whole = units.reduce((sum, unit) => sum + (unit.strengths.some(Boolean) ? unit.weight : 0), 0)
  const scores = new Float64Array(index.count)
  const complete = new Uint8Array(index.count)
  const scored = []
  for (let number = 0; number < index.count; number += 1) {
    let score = 0
    let covered = 0
    for (const unit of units) {
      const strength = unit.strengths[number]
      if (strength > 0) {
        score += unit.weight * strength
        covered += unit.weight
      }
    }
    if (score <= 0) continue
    scores[number] = score * (0.3 + (0.7 * covered) / whole)
    complete[number] = !missing.size && required.length > 0 && required.every(({ strengths, least }) => strengths[number] >= least) ? 1 : 0
    scored.push(number)
  }
  const inOrder = (one, other) => complete[other] - complete[one] || scores[other] - scores[one] || one - other
  scored.sort(inOrder)
  liftNeighbours(index, text, units, scored.slice(0, RERANKED), scores)
  scored.sort(inOrder)
  const best = scored.reduce((most, number) => Math.max(most, scores[number]), 0)
  found.docs = scored.filter((number) => complete[number] || scores[number] >= ENOUGH * best)
  found.full = found.docs.filter((number) => complete[number]).length
}

/** How strongly each feature has a unit, by the best way in which it has it. */
const strengthsOf = (index, unit, hits, found) => {
  unit.strengths = new Float32Array(index.count)
  if (unit.hardware.length) {
    const each = unit.words.map((word) => wordStrengths(index, word, { isOpen: false }, hits))
    takeAll(unit.strengths, each, OWN)
    for (const { hardware } of unit.hardware) takeTags(index, unit.strengths, hardware)
    return
  }
  const [word] = unit.words
  unit.strengths = wordStrengths(index, word, unit, hits, found)
}

const wordStrengths = (index, word, unit, hits, found) => {
  const strengths = new Float32Array(index.count)
  const take = (one, share) => {
    index.each(one, (number, strength) => {
      if (strength * share > strengths[number]) strengths[number] = strength * share
    })
    hits.add(one)
  }
  const isKnown = index.hasWord(word.whole)
  let isReached = isKnown
  if (isKnown) take(word.whole, WAY.whole)
  if (word.isWord) {
    for (const one of index.kin(word.whole)) {
      if (one === word.whole) continue
      take(one, WAY.kin)
      isReached = true
    }
  }
  const joined = word.whole.replace(/[._-]/g, "")
  if (joined !== word.whole && index.hasWord(joined)) {
    take(joined, WAY.joined)
    isReached = true
  }
  if (word.parts.length) {
    const reached = takeParts(index, strengths, word.parts, hits)
    isReached ||= reached
    // The parts are anywhere; where they stand together, it is the name itself.
    if (reached && !isKnown) {
      for (let number = 0; number < index.count; number += 1) {
        if (strengths[number] > 0 && index.text(number).includes(word.whole)) strengths[number] = WAY.whole
      }
    }
  }
  if (unit.isOpen || !isReached) {
    const beginnings = word.whole.length > 1 ? startingWith(index, word.whole) : []
    for (const one of beginnings) take(one, WAY.beginning)
    isReached ||= beginnings.length > 0
  }
  if (!isReached) isReached = takeSplit(index, strengths, word, hits)
  if (!isReached && unit.mayBeGuessed && word.isWord && word.whole.length > 3) {
    const guesses = index.vocabulary.filter((one) => /^[a-z]+$/.test(one) && differByOne(one, word.whole))
    for (const one of guesses) take(one, WAY.guess)
    if (guesses.length) found?.corrected.push({ typed: word.whole, used: guesses.join(", ") })
    isReached = guesses.length > 0
  }
  if (!isReached && word.whole.includes(".")) {
    // What stands before the first dot is often a name of one's own, as in `import module as m`.
    const [, ...rest] = word.whole.split(".")
    for (const one of wordsOf(rest.join("."))) isReached ||= takeParts(index, strengths, [one.whole, ...one.parts], hits)
  }
  if (!isReached) {
    // Of a name that nobody knows, the parts still say what it is about.
    const known = word.parts.filter((part) => part.length > 3 && index.hasWord(part) && index.frequency(part) < index.count / 3)
    for (const part of known) take(part, WAY.fragment)
    unit.isWeak = known.length > 0
  }
  return strengths
}

/** Features that have every part: the smallest pieces are enough, longer parts are made of them. */
const takeParts = (index, strengths, parts, hits) => {
  const loud = parts.filter((part) => !index.silentWords.has(part))
  const smallest = loud.filter((part) => !loud.some((other) => other !== part && other.length < part.length && part.includes(other)))
  if (smallest.length < 2 || !smallest.every((part) => index.hasWord(part))) {
    const single = smallest.length === 1 && index.hasWord(smallest[0])
    if (single) {
      index.each(smallest[0], (number, strength) => {
        strengths[number] = Math.max(strengths[number], strength * WAY.parts)
      })
      hits.add(smallest[0])
    }
    return single
  }
  return takeWords(index, strengths, smallest, WAY.parts, hits)
}

/** Two words that were typed as one. */
const takeSplit = (index, strengths, word, hits) => {
  if (!word.isWord) return false
  for (let at = 3; at <= word.whole.length - 3; at += 1) {
    const both = [word.whole.slice(0, at), word.whole.slice(at)]
    if (both.every((one) => index.hasWord(one)) && takeWords(index, strengths, both, WAY.split, hits)) return true
  }
  return false
}

const takeWords = (index, strengths, words, share, hits) => {
  const each = words.map((one) => {
    const own = new Float32Array(index.count)
    index.each(one, (number, strength) => {
      own[number] = strength
    })
    return own
  })
  words.forEach((one) => hits.add(one))
  return takeAll(strengths, each, share)
}

/** Where all of several strengths are, the weakest of them counts. */
const takeAll = (strengths, each, share) => {
  let isReached = false
  for (let number = 0; number < strengths.length; number += 1) {
    const weakest = Math.min(...each.map((own) => own[number])) * share
    if (weakest > 0) isReached = true
    if (weakest > strengths[number]) strengths[number] = weakest
  }
  return isReached
}

const takeTags = (index, strengths, hardware) => {
  const chain = index.chain(hardware)
  const shares = new Map(chain.map((one, at) => [one, at ? (ABOVE[at - 1] ?? ABOVE.at(-1)) : OWN]))
  const ids = [...index.hardware.keys()]
  const below = new Set(ids.map((_, at) => at).filter((at) => !shares.has(at) && index.chain(ids[at]).includes(chain[0])))
  for (let number = 0; number < index.count; number += 1) {
    for (const tag of index.tags(number)) {
      const share = shares.get(tag) ?? (below.has(tag) ? BELOW : 0)
      if (share > strengths[number]) strengths[number] = share
    }
  }
}

const startingWith = (index, beginning) => {
  const list = index.vocabulary
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle] < beginning) low = middle + 1
    else high = middle
  }
  const found = []
  while (low < list.length && found.length < MOST_BEGINNINGS && list[low].startsWith(beginning)) {
    if (list[low] !== beginning) found.push(list[low])
    low += 1
  }
  return found
}

/** Two words find what is written as one. */
const joinNeighbours = (index, units, hits) => {
  for (let at = 0; at + 1 < units.length; at += 1) {
    const both = [units[at], units[at + 1]]
    const joined = both.map((unit) => unit.words.map((word) => word.whole).join("")).join("")
    if (both.some((unit) => unit.hardware.length) || !index.hasWord(joined)) continue
    hits.add(joined)
    index.each(joined, (number, strength) => {
      for (const unit of both) unit.strengths[number] = Math.max(unit.strengths[number], strength * WAY.joined)
    })
  }
}

/** Words that stand side by side in the query count more where they stand side by side in the feature. */
const liftNeighbours = (index, text, units, numbers, scores) => {
  const asked = text.toLowerCase()
  const pairs = []
  for (let at = 0; at + 1 < units.length; at += 1) {
    const [one, other] = [units[at], units[at + 1]]
    const piece = asked.slice(one.words[0].start, other.words.at(-1).end)
    if (piece.length < 80) pairs.push([piece, one.weight + other.weight])
  }
  const own = spelling(text)
  for (const number of numbers) {
    const shown = index.text(number)
    for (const [piece, weight] of pairs) if (shown.includes(piece)) scores[number] += NEIGHBOURS * weight
    // A pasted line holds the whole message, with other words around it.
    if (index.names(number).some((name) => name.length >= SURELY_OWN && asked.includes(name.toLowerCase()))) scores[number] *= 1.5
    if (spelling(index.id(number)) === own || spelling(index.title(number)) === own) scores[number] *= 4
  }
}

const wordsOfShown = new Map()

/** The words of a text that is shown: the same texts are shown again and again. */
const wordsIn = (text) => {
  if (!wordsOfShown.has(text)) wordsOfShown.set(text, wordsOf(text))
  return wordsOfShown.get(text)
}

/** Pieces of a text, with the words that were found in it marked; of an identifier only the parts that were found. */
const marked = (text, hits, units) => {
  const open = units.find((unit) => unit.isOpen)?.words.at(-1).whole
  const begins = (word) => open?.length > 1 && word.startsWith(open)
  const spans = []
  for (const word of hits.size ? wordsIn(text) : []) {
    if (hits.has(word.whole) || begins(word.whole)) {
      spans.push([word.start, word.end])
      continue
    }
    const written = text.slice(word.start, word.end).toLowerCase()
    for (const part of word.parts) {
      if (!hits.has(part) && !begins(part)) continue
      const at = written.indexOf(part)
      if (at >= 0) spans.push([word.start + at, word.start + at + part.length])
    }
  }
  spans.sort((one, other) => one[0] - other[0] || other[1] - one[1])
  const pieces = []
  const put = (piece, hit) => {
    if (!piece) return
    if (pieces.at(-1)?.hit === hit) pieces.at(-1).text += piece
    else pieces.push({ text: piece, hit })
  }
  let end = 0
  for (const [start, stop] of spans) {
    if (stop <= end) continue
    put(text.slice(end, start), false)
    put(text.slice(Math.max(start, end), stop), true)
    end = stop
  }
  put(text.slice(end), false)
  return pieces
}

/** Identifiers and messages that were found and that title and summary do not show. */
const namesWorthShowing = (index, number, found) => {
  if (!found.docs) return []
  const shown = `${index.title(number)} ${index.summary(number) ?? ""}`
  const weighed = index.names(number).map((name) => {
    const hit = found.mark(name).filter((piece) => piece.hit).reduce((sum, piece) => sum + piece.text.length, 0)
    return { name, part: shown.includes(name) ? 0 : hit / name.length }
  })
  return weighed
    .filter((one) => one.part >= 0.4)
    .sort((one, other) => other.part - one.part)
    .slice(0, 3)
    .map((one) => one.name)
}

/** @typedef {{kind: string, label: string, detail: string, url: string, hardware?: string}} Suggestion */

/** What the text may lead to: hardware, features and pages. @param {string} text @returns {Suggestion[]} */
export const suggest = (index, text) => {
  if (!text.trim()) return []
  const hardware = recognise(index, text)
    .slice(0, 3)
    .map((one) => ({
      kind: index.kinds.hardware,
      label: one.label,
      detail: index.hardware.get(one.hardware).notice ?? [one.family, one.capability].filter(Boolean).join(", "),
      url: index.hardware.get(one.hardware).url,
      hardware: one.hardware,
    }))
  const features = (search(index, text).docs ?? []).slice(0, 5).map((number) => ({
    kind: index.kinds.feature,
    label: index.title(number).replaceAll("`", ""),
    detail: index.value("version", number),
    url: index.url(number),
  }))
  const shown = new Set(hardware.map((one) => one.url))
  const pages = pagesFor(index, text).filter((page) => !shown.has(page.url))
  return [...hardware, ...features, ...pages].slice(0, 10)
}

const pageWords = new WeakMap()
/** Names of the API that only hold the words: one module may have a hundred. */
const MOST_OTHER_NAMES = 2

/** Pages of the site that have every word, or its beginning. @param {string} text @returns {Suggestion[]} */
export const pagesFor = (index, text) => {
  const asked = wordsOf(text.slice(0, LONGEST_TEXT)).map((word) => word.whole)
  if (!asked.length) return []
  const pages = [...index.pages, ...index.apiNames]
  if (pageWords.get(index)?.length !== pages.length) {
    const words = (page) => wordsOf(`${page.title} ${page.words}`).flatMap((word) => [word.whole, ...word.parts])
    pageWords.set(index, pages.map((page) => ({ page, words: words(page) })))
  }
  const fits = (words) => asked.every((one) => words.some((word) => word === one || word.endsWith(`.${one}`) || (one.length > 2 && word.startsWith(one))))
  const found = pageWords.get(index).filter(({ words }) => fits(words)).map(({ page }) => page)
  // One word may stand in a hundred names of the API: those come last, unless it is the name itself, or its end.
  const isOwn = (name) => name === asked[0] || name.endsWith(`.${asked[0]}`)
  const rank = ({ title, isName }) => {
    const name = title.toLowerCase()
    if (isName) return asked.length === 1 && isOwn(name) ? 0 : 2
    return name.startsWith(asked.join(" ")) ? 0 : 1
  }
  found.sort((one, other) => rank(one) - rank(other))
  const others = new Set(found.filter((page) => rank(page) === 2).slice(MOST_OTHER_NAMES))
  return found.filter((page) => !others.has(page)).slice(0, 4).map((page) => ({ kind: index.kinds.page, label: page.title, detail: page.kind, url: page.url }))
}
