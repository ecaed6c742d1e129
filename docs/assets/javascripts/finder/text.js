/* A query → words, by the rules by which Python cut the texts (torchnotes/index/words.py), and what a query needs
   besides: endings, prefixes, typing errors. Pure: no page, no index. */

const CJK = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff"
const CHUNK = new RegExp(`[${CJK}]+|(?:(?![${CJK}])[\\p{L}\\p{N}_.+-])+`, "gu")
const IS_CJK = new RegExp(`^[${CJK}]`, "u")
const EDGES = /^[-._+]+|[-._]+$|(?<!\+)\+$/g
const VERSION = /^[0-9]+(?:\.[0-9]+)+$/
const GLUED = /^([a-zA-Z]+)([0-9]+(?:\.[0-9]+)+)$/
const PIECE = /[a-zA-Z]\+\+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^a-zA-Z0-9]+/g

/** @typedef {{whole: string, parts: string[], start: number, end: number, isWord: boolean}} Word
 *  A word with its place in the text; `isWord` when it is letters only, so that endings and typing errors make sense. */

/** Cut text into words. @param {string} text @returns {Word[]} */
export const wordsOf = (text) => {
  const found = []
  for (const match of text.matchAll(CHUNK)) {
    const chunk = match[0].normalize("NFKC").replace(/\s+/gu, "")
    const place = { start: match.index, end: match.index + match[0].length }
    if (IS_CJK.test(chunk)) {
      for (const pair of pairs(chunk)) found.push({ whole: pair, parts: [], ...place, isWord: false })
      continue
    }
    const bare = chunk.replace(EDGES, "").replace(EDGES, "")
    if (bare) found.push({ whole: bare.toLowerCase(), parts: partsOf(bare), ...place, isWord: /^[a-z]+$/i.test(bare) })
  }
  return found
}

const pairs = (run) => {
  const letters = [...run]
  return letters.length < 2 ? [run] : letters.slice(1).map((letter, index) => letters[index] + letter)
}

const partsOf = (bare) => {
  if (VERSION.test(bare)) {
    const numbers = bare.split(".")
    return numbers.length > 2 ? [numbers.slice(0, 2).join(".")] : []
  }
  const glued = bare.match(GLUED)
  if (glued) return [glued[1].toLowerCase(), glued[2], ...partsOf(glued[2])].filter((part) => part.length > 1)
  const parts = new Set()
  for (const name of bare.split(".")) {
    parts.add(name)
    for (const word of name.split(/[_-]/)) {
      parts.add(word)
      for (const piece of word.match(PIECE) ?? []) parts.add(piece)
    }
  }
  const lowered = new Set([...parts].map((part) => (part.includes("++") ? part : part.replace(/^\++|\++$/g, "")).toLowerCase()))
  return [...lowered].filter((part) => part.length > 1 && part !== bare.toLowerCase())
}

/** Letters and digits in lower case: the spelling under which hardware is known. @param {string} text */
export const spelling = (text) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** What is left of an English word without its ending: words with the same rest are taken for one. @param {string} word */
export const stem = (word) => {
  let rest = word
  const strip = (ending, least, put = "") => {
    if (!rest.endsWith(ending) || rest.length - ending.length < least) return false
    rest = rest.slice(0, -ending.length) + put
    return true
  }
  strip("sses", 2, "ss") || strip("ies", 2, "y") || strip("ches", 2, "ch") || strip("shes", 2, "sh") || strip("xes", 2, "x") ||
    (!/(ss|us|is)$/.test(rest) && strip("s", 3))
  strip("ization", 3) || strip("ation", 4) || strip("tion", 4) || strip("ment", 5) || strip("ness", 4) || strip("able", 4) ||
    strip("al", 5) || strip("ly", 4) || strip("ing", 4) || (!rest.endsWith("eed") && strip("ed", 3)) || strip("er", 4)
  if (/([bdfgmnprt])\1$/.test(rest)) rest = rest.slice(0, -1)
  strip("e", 3) || strip("y", 3, "i")
  return rest
}

/** Whether two words differ by one letter: another, one more, one less, or two changed about. */
export const differByOne = (one, other) => {
  if (one === other || Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  const most = Math.min(one.length, other.length) - start
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  const left = one.slice(start, one.length - end)
  const right = other.slice(start, other.length - end)
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
