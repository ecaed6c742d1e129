/* Words → the hardware they name, whatever their case and spaces: "rtx5090", "RTX 5090", "8xH100". Pure but for the index. */

import { spelling } from "./text.js"

const LONGEST = 8
const LINE = /(\bline |:)$/i
const COUNT = /^[0-9]+[x×](?=.*[a-z]|[0-9]{4}$)/
const TIMES = /[x×][0-9]+$/

const tables = new WeakMap()

/** Spelling → what it can mean. */
const tableOf = (index) => {
  let table = tables.get(index)
  if (!table) {
    table = new Map()
    const add = (typed, meaning) => {
      for (const one of typed.split(" ").filter(Boolean)) {
        const known = table.get(one)
        if (known) known.push(meaning)
        else table.set(one, [meaning])
      }
    }
    const hardware = [...index.hardware.values()]
    hardware.forEach((one) => add(one.typed, { hardware: one.id, label: one.label, family: "", capability: one.capability }))
    const { names, hardware: families, capabilities, typed } = index.devices
    names.forEach((label, at) => {
      const { id, label: family } = hardware[families[at]]
      add(typed[at], { hardware: id, label, family, capability: capabilities[at] })
    })
    tables.set(index, table)
  }
  return table
}

/** @typedef {{typed: string, start: number, end: number, hardware: string, label: string, family: string, capability: string}} Named
 *  A hardware as named in a text: what was typed and where, and what it is. */

/** Every hardware that a text names, the longest names first; an ambiguous name gives several.
 *  @param {import("./store.js").Index} index @param {string} text @returns {Named[]} */
export const recognise = (index, text) => {
  const table = tableOf(index)
  const pieces = [...text.slice(0, 1000).matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    key: match[0].normalize("NFKC").toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }))
  const taken = new Set()
  const found = []
  for (let length = Math.min(LONGEST, pieces.length); length > 0; length -= 1) {
    for (let at = 0; at + length <= pieces.length; at += 1) {
      const span = pieces.slice(at, at + length)
      if (span.some((_, offset) => taken.has(at + offset))) continue
      // A letter and a number apart are a name only where nothing else is said.
      if (length === 2 && span[0].key.length === 1 && pieces.length > 2 && !/^[0-9]/.test(span[0].key)) continue
      // A line's number names no card, be it as long as a card's.
      if (LINE.test(text.slice(0, span[0].start))) continue
      const meanings = meaningsOf(table, span.map((one) => one.key).join(""), pieces.length)
      if (!meanings) continue
      span.forEach((_, offset) => taken.add(at + offset))
      const { start } = span[0]
      const { end } = span.at(-1)
      found.push(...meanings.map((meaning) => ({ typed: text.slice(start, end), start, end, ...meaning })))
    }
  }
  // Who names a card means no more by the name of its maker.
  const above = new Set(found.flatMap((one) => index.chain(one.hardware).slice(1)))
  const ids = [...index.hardware.keys()]
  return found.filter((one) => !above.has(ids.indexOf(one.hardware)))
}

const meaningsOf = (table, key, words) => {
  // A short number says something of its own in any longer text.
  if (/^[0-9]+$/.test(key) && key.length < 4 && words > 1) return undefined
  const known = [key, key.replace(COUNT, ""), key.replace(TIMES, "")].find((one) => table.has(one))
  return known && onePerFamily(table.get(known), known)
}

/** Several devices of one family under one spelling are one answer, by what their names share. */
const onePerFamily = (meanings, key) => {
  const families = new Map()
  for (const one of meanings) {
    const known = families.get(one.hardware)
    families.set(one.hardware, known ? shared(known, one, key) : one)
  }
  return [...families.values()]
}

const shared = (one, other, key) => {
  const words = one.label.split(" ")
  const end = other.label.split(" ").concat("").findIndex((word, at) => word !== words[at])
  const label = words.slice(0, end).join(" ")
  return {
    ...one,
    label: spelling(label).includes(key) ? label : one.label,
    capability: one.capability === other.capability ? one.capability : "",
  }
}
