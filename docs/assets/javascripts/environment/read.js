/* A pasted text → what it says about a machine: the report of torch.utils.collect_env, of vLLM too, what the makers'
   management tools print, lists of packages, or names of devices. Pure: touches no page, makes no request, never throws.

   It does not guess. Devices are known by the finder's index alone, and a name with one word more than the index knows
   is unknown: the next model of a series may be of another family. A label is found anywhere in a line and in any case,
   so that prefixes of logs, quotes and lost line ends do no harm. Every repetition in a pattern has a bound, so that the
   time grows with the text and no faster. */

import { recognise } from "../finder/devices.js"
import { spelling } from "../finder/text.js"

/** Characters that are read; a report has some ten thousand. */
const MOST = 1_000_000
const MOST_TYPED = 2000
const MOST_DEVICES = 200
const MOST_PACKAGES = 5000
const LONGEST_VALUE = 500
const LONGEST_NAME = 200

const lower = (text) => text.toLowerCase()
/** Builds as the labels write them; their ids are the same in lower case. */
const [CUDA, ROCM, XPU, CPU] = ["CUDA", "ROCm", "XPU", "CPU"].map(lower)
/** Labels in the index: of the maker whose driver has a version here, and of what is no GPU. */
const DRIVER_MAKER = "NVIDIA"
const PROCESSOR = "CPU"
const EMBEDDED = /\bJetson\b/

/** Every label of both forms of the report: those that are read, and those at which the text of another ends. */
const LABELS = [
  "PyTorch version", "Is debug build", "CUDA used to build PyTorch", "ROCM used to build PyTorch",
  "ROCm SDK used to build PyTorch", "HIP used to build PyTorch", "XPU used to build PyTorch", "OS", "GCC version",
  "Clang version", "CMake version", "Libc version", "Python version", "Python platform", "Is CUDA available",
  "CUDA runtime version", "CUDA_MODULE_LOADING set to", "GPU models and configuration", "Nvidia driver version",
  "cuDNN version", "Is XPU available", "XPU runtime version", "Intel GPU driver version", "Intel GPU models onboard",
  "Intel GPU models detected", "Intel GPU models", "HIP runtime version", "MIOpen runtime version",
  "Is XNNPACK available", "Caching allocator config", "CPU", "Versions of relevant libraries", "vLLM Version",
  "vLLM Build Flags", "GPU Topology", "GPU \\d{1,3}",
]
const LABEL = new RegExp(`(?<![\\w/.-])(${LABELS.join("|").replaceAll(" ", " {1,4}")}) {0,60}[:：]`, "gi")
/** By themselves these are no sign of a report. */
const COMMON = /^(?:OS|CPU|Python version|GPU Topology|GPU \d+)$/i
const NOTHING = ["N/A", "None", "No CUDA", "No XPU", "Could not collect"]
const ABSENT = new RegExp(`^(?:${NOTHING.join("|")})?$`, "i")

// ---- Lines --------------------------------------------------------------------------------------------------------

const ESCAPE = /\u001b\[[0-9;]{0,20}[A-Za-z]/g
const BREAK = /<(?:br|\/p|\/li|\/div|\/tr)\b[^<>]{0,50}>/gi
const TAG = /<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,300})?>/gi
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/gi
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " " }

const decoded = (whole, number, hex, name) => {
  if (name) return ENTITIES[lower(name)]
  const code = number ? Number.parseInt(number, 10) : Number.parseInt(hex, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/** Lines without what a terminal or a web page put around them. */
const linesOf = (text) =>
  text
    .replace(ESCAPE, "")
    .replace(BREAK, "\n")
    .replace(TAG, "")
    .replace(ENTITY, decoded)
    .replace(/[\t\u00a0\u2007\u202f]/g, " ")
    .split(/\r\n?|[\n\u0085\u2028\u2029]/)

const cleaned = (value) => value.slice(0, LONGEST_VALUE).replace(/^[\s*`"'|]+|[\s*`"'|\\]+$/g, "")

/** A text whatever the numbers in it, such as a time or the number of a process. */
const shape = (text) => text.replace(/\d/g, "0")

/** A line without the prefix that another line has. */
const without = (line, prefix) => {
  const head = line.slice(0, prefix.length)
  return shape(head) === shape(prefix) ? line.slice(prefix.length) : line.replace(/^[>\s]{1,40}/, "")
}

// ---- Names of devices ---------------------------------------------------------------------------------------------

/** What makers and tools put around a model: memory, socket, form. A name is no less exact for it. */
const AROUND = new RegExp(
  `(?<!\\w)(?:${[
    "\\d+(?:\\.\\d+)? {0,2}(?:GB|GiB|MB|MiB|G)", "HBM\\d?e?", "GDDR\\dX?", "SXM\\d?", "PCIe?", "NVL\\d{0,3}", "OAM", "VF",
    "MIG {1,2}\\d+g\\.\\d+gb", "\\d{1,2}[ABCQ]", "Max-[PQ](?: {1,2}Design)?", "nvgpu", "GPUs?", "Graphics", "Laptop",
    "Notebook", "Mobile", "Desktop", "Workstation", "Server", "Edition", "Generation", "Series", "Virtual", "Card",
  ].join("|")})(?!\\w)`,
  "gi",
)
/** AMD's name of an architecture, with the features behind it. */
const ARCHITECTURE = /(?<![a-z0-9])gfx[0-9a-f]{3,5}(?::[a-z]{1,12}[+-]){0,4}/gi
const SHORTENED = /\s?(?:\.{3}|…)$/

const catalogues = new WeakMap()

/** What the index knows, as it is asked for here. */
const catalogueOf = (index) => {
  let catalogue = catalogues.get(index)
  if (!catalogue) {
    const ids = [...index.hardware.keys()]
    const labels = [...index.hardware.values()].map((one) => one.label)
    catalogue = {
      ids,
      labels,
      above: new Map(ids.map((id) => [id, index.chain(id)])),
      // Hardware that other hardware belongs to: the name of a maker names no device.
      parents: new Set(ids.flatMap((id) => index.chain(id).slice(1)).map((at) => ids[at])),
      spelled: new Set([...index.hardware.values(), ...index.devices.typed].flatMap((one) => (one.typed ?? one).split(" "))),
      // "RTX", "Instinct": words that names of devices are made of.
      words: new Set(index.devices.names.flatMap((name) => name.match(/\b[A-Za-z]{2,}\b/g) ?? []).map(lower)),
    }
    catalogues.set(index, catalogue)
  }
  return catalogue
}

const isBelow = (index, hardware, label) => {
  const { above, labels } = catalogueOf(index)
  return above.get(hardware).some((at) => labels[at] === label)
}

/** A name as it is looked up: without marks, and without words in scripts that no model is written in. */
const plain = (name) =>
  name
    .slice(0, LONGEST_NAME)
    .replace(/[™®©]|\((?:R|TM|C)\)/gi, " ")
    .normalize("NFKC")
    .replace(/[^\p{Script=Latin}\p{N}\p{ASCII}]+/gu, " ")
    .trim()

/** @typedef {{hardware: string, label: string, isModel: boolean}} Meaning
 *  `isModel` when a device was named, and not a family. */

/** What a name means, if every word of it is accounted for and it means one thing. @returns {Meaning | null} */
const meaningOf = (index, name) => {
  const found = recognise(index, name)
  const { ids, above, spelled } = catalogueOf(index)
  // In a question "x9" at the end is a count; here counts are gone, and "MI250X9" is another device.
  if (found.some((one) => !spelled.has(spelling(one.typed)))) return null
  const blank = (text) => " ".repeat(text.length)
  let rest = name
  for (const { start, end } of found) rest = rest.slice(0, start) + blank(rest.slice(start, end)) + rest.slice(end)
  const words = [...rest.replace(AROUND, blank).matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index: at }) => ({ word, at }))
  const isAbove = (word, hardware) =>
    recognise(index, word).some((one) => above.get(hardware).includes(ids.indexOf(one.hardware)))
  // Of two meanings, "M4", the maker decides: "Mac mini M4".
  const isOne = (meanings) => meanings.length > 0 && meanings.every((one) => one.hardware === meanings[0].hardware)
  if (!isOne(found) && found.some((one) => one.start !== found[0].start)) return null
  const meanings = isOne(found) ? found : found.filter((one) => words.some(({ word }) => isAbove(word, one.hardware)))
  if (!isOne(meanings)) return null
  const [{ hardware, start }] = meanings
  let isBehindMaker = false
  for (const { word, at } of words) {
    const isMaker = isAbove(word, hardware)
    // "NVIDIA DGX H100", "MacBook Pro M4": between maker and model stands a machine, not another model.
    const isMachine = isBehindMaker && at < start && /^[a-z]+$/i.test(word)
    const isForeign = /[^\x20-\x7e]/.test(word)
    if (!isMaker && !isMachine && !isForeign && !index.silentWords.has(lower(word))) return null
    isBehindMaker = isMaker
  }
  // Of a model and the code of its architecture, the model is what a reader knows; its memory only where it was named.
  const { label, family } = meanings.find((one) => one.family) ?? meanings[0]
  const [size] = / \d+GB\b/.exec(label) ?? []
  return { hardware, label: size && !name.includes(size.trim()) ? label.replace(size, "") : label, isModel: family !== "" }
}

/** Hardware of the devices whose names begin so. @returns {Set<string>} */
const beginningWith = (index, name) => {
  const { ids, parents, above } = catalogueOf(index)
  const words = name.split(/\s+/)
  const makers = []
  while (words.length > 1) {
    const maker = recognise(index, words[0]).find((one) => parents.has(one.hardware))
    if (!maker) break
    makers.push(ids.indexOf(maker.hardware))
    words.shift()
  }
  const beginning = spelling(words.join(""))
  const found = new Set()
  index.devices.names.forEach((label, at) => {
    const id = ids[index.devices.hardware[at]]
    if (!beginning || !makers.every((maker) => above.get(id).includes(maker))) return
    // The index writes "GeForce RTX", others leave the first word out.
    const [, ...rest] = label.split(" ")
    if ([label, rest.join("")].some((one) => spelling(one).startsWith(beginning))) found.add(id)
  })
  return found
}

/** What a name means that a table cut short, "RTX 2070 S...": what all names that begin so have in common.
 *  @returns {Meaning | null} */
const meaningOfShortened = (index, text) => {
  const bare = plain(text.replace(SHORTENED, ""))
  const [cut] = /\s(?:\.{3}|…)$/.test(text) ? [""] : (/[^\s-]{0,80}$/.exec(bare) ?? [""])
  const whole = meaningOf(index, bare)
  // A model's number may have lost digits, unless the index knows it as it is.
  const hardware = beginningWith(index, /\d/.test(cut) && !whole?.isModel ? "" : bare)
  if (hardware.size) return hardware.size === 1 ? { hardware: [...hardware][0], label: bare, isModel: true } : null
  const meaning = meaningOf(index, bare.slice(0, bare.length - cut.length))
  return meaning?.isModel ? meaning : null
}

/** What a name means in the output of a tool. @returns {Meaning | null} */
const deviceNamed = (index, text) => {
  if (SHORTENED.test(text)) return meaningOfShortened(index, text)
  const [code] = text.match(ARCHITECTURE) ?? []
  const name = plain(text.replace(ARCHITECTURE, " "))
  const coded = code ? meaningOf(index, code.split(":")[0]) : null
  let named = meaningOf(index, name)
  if (named && catalogueOf(index).parents.has(named.hardware)) named = null
  // Tools name models. A series, "RTX 20", is a model that was cut, and stands for what its models have in common.
  if (named && !named.isModel && /\d$/.test(name) && beginningWith(index, name).size > 1) named = null
  if (coded && named && coded.hardware !== named.hardware) return null
  return named ?? coded
}

/** @typedef {{text: string, count: number, hardware: string | null, label: string}} Device
 *  `text` as written; `hardware` an id of the index, null when the index does not know the device. */

/** Devices, each name once with its count, in the order in which they were first seen. */
class Devices {
  #index
  #found = new Map()

  constructor(index) {
    this.#index = index
  }

  add(written, count = 1, meaning = undefined) {
    const text = written.slice(0, LONGEST_NAME).trim()
    const known = this.#found.get(text)
    if (known) known.count += count
    else if (text && this.#found.size < MOST_DEVICES) {
      const meant = meaning === undefined ? deviceNamed(this.#index, text) : meaning
      this.#found.set(text, { text, count, hardware: meant?.hardware ?? null, label: meant?.label ?? text })
    }
  }

  /** @returns {Device[]} */
  get list() {
    return [...this.#found.values()]
  }
}

/** The first two numbers of a version: the third is not that of the release, but of one of its parts. */
const numberOf = (text) => /^\d+\.\d+/.exec(text)?.[0] ?? null

// ---- The report ---------------------------------------------------------------------------------------------------

/** The labels of a text and what stands behind and below them. */
class Report {
  /** @type {Map<string, {value: string, at: number, prefix: string}[]>} */
  #fields = new Map()
  #labelled = new Set()
  /** Line at whose end the text breaks off. */
  #last

  constructor(lines) {
    let end = lines.length
    let version = null
    for (let at = 0; at < end; at += 1) {
      const matches = /[:：]/.test(lines[at]) ? [...lines[at].matchAll(LABEL)] : []
      for (const [number, match] of matches.entries()) {
        const label = lower(match[1]).replace(/ +/g, " ")
        const said = cleaned(lines[at].slice(match.index + match[0].length, matches[number + 1]?.index))
        // At the end of the text "N" may be the half of "N/A".
        const isHalf = at === lines.length - 1 && NOTHING.some((one) => lower(one).startsWith(lower(said)))
        const value = isHalf && !ABSENT.test(said) ? "" : said
        if (label === lower(LABELS[0]) && !ABSENT.test(value)) {
          version ??= value
          // The report of another environment begins: to take what is missing from it would be wrong.
          if (version !== value) {
            end = at
            break
          }
        }
        const field = { value, at, prefix: lines[at].slice(0, match.index) }
        if (this.#fields.has(label)) this.#fields.get(label).push(field)
        else this.#fields.set(label, [field])
        this.#labelled.add(at)
      }
    }
    this.lines = lines.slice(0, end)
    this.#last = end === lines.length ? end - 1 : end
    this.isCut = end < lines.length
    this.isOne = [...this.#fields.keys()].some((label) => !COMMON.test(label))
  }

  all(label) {
    return this.#fields.get(lower(label)) ?? []
  }

  /** The first value of the first of these labels that says something. @returns {string | null} */
  said(...labels) {
    return labels.flatMap((label) => this.all(label)).find((one) => !ABSENT.test(one.value))?.value ?? null
  }

  /** Whether this value stands where the text breaks off, so that its end may be missing. */
  isOpen(label, value) {
    return this.all(label).some((one) => one.value === value && one.at === this.#last && this.lines[one.at].endsWith(value))
  }

  /** The number that begins the first of these labels that says something. @returns {string | null} */
  number(...labels) {
    const label = labels.find((one) => this.said(one) !== null)
    return label && !this.isOpen(label, this.said(label)) ? numberOf(this.said(label)) : null
  }

  /** Whether there is an answer, and it is that there is none. */
  denies(...labels) {
    return this.said(...labels) === null && labels.some((label) => this.all(label).some((one) => one.value))
  }

  /** What stands behind and below a label, up to the next one; once for each time that the label is there. */
  sections(label) {
    return this.all(label).map(({ value, at, prefix }) => {
      const end = Math.min(this.lines.length, at + MOST_DEVICES)
      const lines = [value]
      for (let next = at + 1; next < end && !this.#labelled.has(next); next += 1) lines.push(without(this.lines[next], prefix))
      return lines
    })
  }

  /** "GPU 0: name" lines in their order. */
  get numbered() {
    return [...this.#fields]
      .filter(([label]) => /^gpu \d/.test(label))
      .flatMap(([label, fields]) => fields.map((field) => ({ label, ...field })))
      .sort((one, other) => one.at - other.at)
  }
}

const devicesOf = (index, report, os, architecture) => {
  const devices = new Devices(index)
  for (const name of numberedDevices(index, report)) devices.add(name)
  const single = report.said("GPU models and configuration")
  if (single) devices.add(single)
  for (const [name, count] of intelDevices(report)) devices.add(name, count)
  if (!devices.list.length && (os.id === "macos" || os.id === null)) {
    addMac(index, report, devices, os.id === "macos" && architecture === "arm64")
  }
  return devices.list
}

/** Names of "GPU 0: name" lines, each number once. Such a line elsewhere in a log counts if the index knows the name. */
const numberedDevices = (index, report) => {
  const heads = [...report.all("GPU models and configuration"), ...report.all("Intel GPU models")]
  const starts = new Map(heads.map((one) => [one.at, one.prefix]))
  const known = new Map()
  const isKnown = (name) => {
    if (!known.has(name) && known.size < MOST_DEVICES) known.set(name, deviceNamed(index, name) !== null)
    return known.get(name) ?? false
  }
  const seen = new Set()
  const names = []
  let before = { at: -Infinity, prefix: "" }
  for (const { label, value, at, prefix } of report.numbered) {
    const start = [at, at - 1, at - 2].find((line) => starts.has(line))
    if (start !== undefined) before = { at: start, prefix: starts.get(start) }
    const isInSection = at - before.at <= 2 && (at === before.at || shape(prefix).trim() === shape(before.prefix).trim())
    const name = value.replace(/ ?\(UUID: .*$/i, "")
    if (!name || ABSENT.test(name) || !(isInSection || name !== value || isKnown(name))) continue
    before = { at, prefix: at === before.at ? before.prefix : prefix }
    if (!seen.has(label + name)) names.push(name)
    seen.add(label + name)
  }
  return names
}

/** Name → how many. The system and PyTorch each list the same devices. @returns {Map<string, number>} */
const intelDevices = (report) => {
  const most = new Map()
  for (const lines of [...report.sections("Intel GPU models onboard"), ...report.sections("Intel GPU models detected")]) {
    const counts = new Map()
    for (const line of lines) {
      line.split(/(?:^|\s)[*•] /).forEach((item, place) => {
        const name = intelDevice(cleaned(item), place > 0)
        if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
      })
    }
    for (const [name, count] of counts) most.set(name, Math.max(count, most.get(name) ?? 0))
  }
  return most
}

/** Properties without a name have a number at least: a device, and an unknown one. */
const intelDevice = (item, isListed) => {
  const [, properties] = /_XpuDeviceProperties\((.{0,400})/i.exec(item) ?? []
  if (properties) return (/(?<!\w)name='([^']{1,200})'/i.exec(properties) ?? /(device_id=\w{1,20})/i.exec(properties))?.[1]
  // The list of drivers looks the same, but for the versions in it.
  return (isListed || /^Intel/i.test(item)) && !ABSENT.test(item) && !item.includes(":") ? item : null
}

/** The GPU of a Mac has the name of its processor, and no line of its own; not so in a Mac with another maker's
 *  processor, whose GPU is in no report. */
const addMac = (index, report, devices, isSure) => {
  const heads = [...report.all("CPU")]
  // vLLM writes a heading instead of a label.
  report.lines.forEach((line, at) => {
    if (/^\W{0,40}CPU Info\W{0,10}$/i.test(line.slice(0, 100))) heads.push({ value: "", at, prefix: "" })
  })
  for (const { value, at, prefix } of heads.slice(0, MOST_DEVICES)) {
    const below = report.lines.slice(at + 1, at + 4).map((line) => cleaned(without(line, prefix)))
    const name = value || below.find((line) => /\w/.test(line)) || ""
    const meant = deviceNamed(index, name)
    if (!(name && isSure) && (!meant || isBelow(index, meant.hardware, PROCESSOR))) continue
    devices.add(name, 1, meant)
    return
  }
}

/** @typedef {{id: "linux" | "windows" | "macos" | null, text: string | null, version: string | null, isWsl: boolean,
 *    isJetson: boolean}} System */

/** @returns {System} */
const systemOf = (report) => {
  const name = report.said("OS") ?? ""
  const platform = report.said("Python platform") ?? ""
  let id = null
  if (/windows/i.test(name) || /^windows-/i.test(platform)) id = "windows"
  else if (/mac ?os/i.test(name) || /^(?:macos|darwin)-/i.test(platform)) id = "macos"
  // On Linux the report writes the machine behind the name of the distribution, whatever that is.
  else if (/^linux-/i.test(platform) || /linux|\((?:x86_64|aarch64|ppc64le|riscv64|s390x)\)/i.test(name)) id = "linux"
  else if (/^glibc-/i.test(report.said("Libc version") ?? "")) id = "linux"
  // A platform has the version of the kernel, but on a Mac.
  const source = name ? name.split("(")[0] : id === "macos" ? platform : ""
  const isOpen = name ? report.isOpen("OS", name) : report.isOpen("Python platform", platform)
  return {
    id,
    text: name || platform || null,
    version: (isOpen ? /\d+(?:\.\d+){0,3}(?=[ -])/ : /\d+(?:\.\d+){0,3}/).exec(source)?.[0] ?? null,
    isWsl: id === "linux" && /microsoft|wsl2/i.test(platform),
    isJetson: /-tegra/i.test(platform),
  }
}

const ARCHITECTURES = [
  ["x86-64", /(?<![a-z0-9])(?:x86[_-]64|amd64)(?![a-z0-9])/i],
  ["arm64", /(?<![a-z0-9])(?:arm64|aarch64)(?![a-z0-9])/i],
  // Processors that no wheel of these releases is for.
  ["other", /(?<![a-z0-9])(?:i[3-6]86|riscv64|ppc64(?:le)?|s390x|loongarch64|armv[67]l)(?![a-z0-9])/i],
]

const architectureOf = (report) => {
  const processor = report.lines.map((line) => line.slice(0, LONGEST_VALUE)).find((line) => /\bArchitecture:\s/i.test(line))
  const places = [report.said("OS"), report.said("Python platform"), report.said("Python version"), processor]
  const found = places.map((place) => ARCHITECTURES.find(([, pattern]) => pattern.test(place ?? "")))
  return found.find(Boolean)?.[0] ?? null
}

const pythonOf = (report) => {
  const text = report.said("Python version")
  if (!text) return null
  // Old reports have two numbers; without what follows them they may be the half of three.
  const value = /^(\d\.\d+\.\d+|\d\.\d+(?= \())/.exec(text)?.[1] ?? null
  return { text, value, isFreeThreaded: /free-threading/i.test(text) }
}

// ---- Management tools ---------------------------------------------------------------------------------------------

const TOOL = /NVIDIA-SMI|NVSMI LOG|ROCm System Management|ROCm[ -]SMI|AMD-?SMI|MARKET_NAME|\(UUID: |GPU\[\d{1,3}\] {0,20}:/i
const TOOL_DRIVER = /(?:Driver|KMD) Version {0,40}: {0,4}(\d{3}\.\d+(?:\.\d+)?)/i
/** The last column tells Windows: only there a driver has a model. */
const NVIDIA_ROW = /\| {0,6}\d{1,3} {1,4}(\S.{0,60}?) {1,40}(On|Off|N\/A|WDDM|TCC|MCDM) {0,4}\| {0,6}(?:[0-9a-f]{4,8}:|N\/A )/i
const AMD_ROW = /\| {0,4}[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d {1,20}(\S.{0,60}?) {0,40}\|/i
const PRODUCT = /(?<!\w)Product Name {1,60}: {1,4}(\S.{0,199})/i
const MARKET = /(?<!\w)(MARKET_NAME|TARGET_GRAPHICS_VERSION): {0,4}(\S.{0,199})/i
const CARD = /GPU\[(\d{1,3})\] {0,20}: {0,4}(Card Series|Card Model|Device Name|GFX Version): {0,40}(\S.{0,199})/i
/** The short table has numbers of devices and no names. */
const UNNAMED_ROW = /^\W{0,10}\d{1,3} {1,12}\d{1,3} {1,12}(0x[0-9a-f]{4}), /i

/** What the tools of NVIDIA and AMD print. */
const toolOf = (index, lines) => {
  const devices = new Devices(index)
  const cards = new Map()
  const unnamed = []
  let driver = null
  let isWindows = false
  let isOne = false
  for (const line of lines.map((whole) => whole.slice(0, LONGEST_VALUE))) {
    if (TOOL.test(line)) isOne = true
    driver ??= TOOL_DRIVER.exec(line)?.[1] ?? null
    const row = NVIDIA_ROW.exec(line) ?? AMD_ROW.exec(line) ?? PRODUCT.exec(line)
    if (row) devices.add(cleaned(row[1]))
    if (/DM|TCC/i.test(row?.[2] ?? "")) isWindows = true
    const [, market, said] = MARKET.exec(line) ?? []
    if (market && /name/i.test(market)) cards.set(cards.size, ABSENT.test(said) ? {} : { name: cleaned(said) })
    else if (market && cards.size) [...cards.values()].at(-1).code = cleaned(said)
    const [, number, key, value] = CARD.exec(line) ?? []
    if (number) {
      const card = cards.get(number) ?? {}
      cards.set(number, card)
      if (/version/i.test(key)) card.code ??= cleaned(value)
      else if (!/^(?:0x|N\/A)/i.test(value)) card.name ??= cleaned(value)
    }
    const [, id] = UNNAMED_ROW.exec(line) ?? []
    if (id) unnamed.push(id)
  }
  for (const { name, code } of cards.values()) devices.add(name && code ? `${name} (${code})` : (name ?? code ?? ""))
  if (isOne && !devices.list.length) for (const id of unnamed) devices.add(id, 1, null)
  driver ??= addQueried(devices, lines)
  return { devices: devices.list, driver, isWindows, isOne: isOne || driver !== null || devices.list.length > 0 }
}

/** Rows of a query for columns, below their names; answers with the driver. */
const addQueried = (devices, lines) => {
  const cells = (line) => line.slice(0, LONGEST_VALUE).split(",").map((cell) => cleaned(cell))
  const isHead = (line) => line.length < LONGEST_VALUE && /(?:^|, ?)name *(?:,|$)/.test(line) && /^[a-z_.,[\] ]+$/i.test(line)
  const start = lines.findIndex(isHead)
  if (start < 0) return null
  const columns = cells(lines[start])
  let driver = null
  for (const line of lines.slice(start + 1, start + 1 + MOST_DEVICES)) {
    const row = cells(line)
    if (row.length !== columns.length || !row[0]) break
    devices.add(row[columns.indexOf("name")])
    driver ??= /^\d{3}\.\d+(?:\.\d+)?$/.exec(row[columns.indexOf("driver_version")] ?? "")?.[0] ?? null
  }
  return driver
}

// ---- Packages -----------------------------------------------------------------------------------------------------

const PIN = /(?<![\w.-])([a-z0-9][\w.-]{0,80})(?:\[[^\]\s]{0,80}\])?={2,3}(\d[\w.+!-]{0,80})/gi
const FROM_WHEEL = /(?<![\w.-])([a-z0-9][\w.-]{0,80}) ?@ ?\S{0,300}?\/([\w.]{1,80})-(\d[\w.+%!]{0,80})-/i
const HEADER = /^\W{0,10}(?:Package|Name) +Version\b/i
const ROW = /^\W{0,10}([a-z0-9][\w.-]{0,80}) {1,80}(\d[\w.+!-]{0,80})(?: |$)/i
const INSTALLER = /\[(?:pip3?|conda)\] ?/i
const OURS = /^(?:pytorch|torch(?:vision|audio)?)$/i

/** @typedef {{name: string, version: string}} Package */

/** Pinned packages, rows of tables, and what an installer shows of one package. @returns {Package[]} */
const packagesOf = (lines) => {
  const found = new Map()
  const put = (name, version) => {
    if (found.size < MOST_PACKAGES) found.set(`${name} ${version}`, { name, version })
  }
  let isTable = false
  let shown = null
  for (const line of lines) {
    for (const [, name, version] of line.includes("==") ? line.matchAll(PIN) : []) put(name, version)
    const short = line.slice(0, 1000)
    const [, name, wheel, version] = FROM_WHEEL.exec(short) ?? []
    if (name && spelling(name) === spelling(wheel)) put(name, version.replace(/%2b/i, "+"))
    if (HEADER.test(short)) isTable = true
    const row = ROW.exec(short.replace(/^.{0,200}?\[(?:pip3?|conda)\] {0,4}/i, ""))
    if (row && (isTable || INSTALLER.test(short) || OURS.test(row[1]))) put(row[1], row[2])
    const [, key, value] = /^\W{0,10}(Name|Version): (\S{1,100})\s*$/.exec(short) ?? []
    if (key === "Name") shown = value
    else if (key && shown && /^\d/.test(value)) put(shown, value)
    if (key === "Version") shown = null
  }
  return [...found.values()]
}

// ---- Names --------------------------------------------------------------------------------------------------------

const BETWEEN = /[\n,;、，；]|\s(?:and|&|\+|\|)\s/i
const TITLE = /^(?:GPUs?|Graphics cards?|Devices?)(?: \d{1,3})? ?: {0,4}/i
const COUNT_BEFORE = /^(?:(\d{1,4}) ?[x×*] ?(?=\S)|(\d{1,2}) (?=[a-z]))/i
const COUNT_BEHIND = /(?:(?<=\d) ?| )[x×*] ?(\d{1,3})$|\(?[x×] ?(\d{1,3})\)$/i

/** Names that somebody typed, with their counts. @returns {Device[]} */
const namesOf = (index, lines) => {
  const devices = new Devices(index)
  const { words, parents } = catalogueOf(index)
  const pieces = lines.join("\n").slice(0, MOST_TYPED).split(BETWEEN)
  const parts = pieces.map((piece) => cleaned(piece).replace(TITLE, "")).filter((part) => part && !part.endsWith(":"))
  const named = parts.map((part) => {
    const before = COUNT_BEFORE.exec(part)
    const behind = before ? null : COUNT_BEHIND.exec(part)
    const name = part.replace(COUNT_BEFORE, "").replace(before ? /$/ : COUNT_BEHIND, "").trim()
    const count = Number(before?.[1] ?? before?.[2] ?? behind?.[1] ?? behind?.[2] ?? 1)
    const meaning = deviceNamed(index, name) ?? meaningOf(index, plain(name))
    return { name, count, isCounted: Boolean(before?.[1] ?? behind), meaning }
  })
  const isList = named.some((one) => one.meaning)
  // A longer text in which nothing is known is no list of devices.
  if (!isList && parts.length > 6) return []
  // Who names a maker or a family names nothing else.
  const isAll = named.every((one) => one.meaning)
  for (const { name, count, isCounted, meaning } of named) {
    const typed = plain(name).match(/[\p{L}\p{N}]+/gu) ?? []
    const hasModel = typed.some((word) => /\d/.test(word)) && typed.some((word) => /[a-z]/i.test(word))
    const isSeries = typed.some((word) => words.has(lower(word)))
    const meant = recognise(index, plain(name))
    const isAmbiguous = meant.some((one) => !parents.has(one.hardware))
    const isListed = isList && typed.some((word) => /\d\d/.test(word))
    const isNamed = hasModel && (isSeries || isListed || isCounted || meant.length > 0)
    // What looks like a device and is none that the index knows is shown as unknown, not dropped.
    const isUnknown = typed.length <= 8 && !name.includes(": ") && (isAmbiguous || isNamed)
    const isKnown = meaning && (isAll || !parents.has(meaning.hardware))
    if (count > 0 && (isKnown || isUnknown)) devices.add(name, count, meaning)
  }
  return devices.list
}

// ---- All together -------------------------------------------------------------------------------------------------

const BEFORE_RELEASE = /^v?\d+(?:\.\d+)*(?:\.?dev|a|b|rc)\d*/i

/** @typedef {{text: string, value: string | null, isNightly: boolean}} Version
 *  `value` has three numbers, since fewer may be the half of them; `isNightly` for anything from before the release. */

/** @returns {Version} */
const versionOf = (text) => ({
  text,
  value: /^v?(\d+\.\d+\.\d+)(?!\.?\d)/.exec(text)?.[1] ?? null,
  isNightly: BEFORE_RELEASE.test(text),
})

/** The version that the report gives, or the one version that the packages agree on. @returns {Version | null} */
const torchOf = (report, packages) => {
  const said = report.said("PyTorch version")
  if (said) return versionOf(said)
  const listed = packages.filter((one) => /^(?:py)?torch$/i.test(one.name)).map((one) => versionOf(one.version))
  return new Set(listed.map((one) => one.value)).size === 1 ? listed[0] : null
}

/** Two digits only where no third can have been lost. */
const LOCAL_CUDA = /\+cu([89]\d|1\d\d)(?!\d)/i
const ROCM_LABELS = ["ROCm SDK used to build PyTorch", "ROCM used to build PyTorch", "HIP used to build PyTorch"]
const LOCAL_OTHER = new RegExp(`\\+(${CPU}|${ROCM}|${XPU})(?![a-z])([\\d.]*)`, "i")

/** What PyTorch was built with: the local version says it, or the lines of the report. */
const buildOf = (report, version, os) => {
  const [, digits] = LOCAL_CUDA.exec(version?.text ?? "") ?? []
  const [, other, release] = LOCAL_OTHER.exec(version?.text ?? "") ?? []
  const withCuda = report.number("CUDA used to build PyTorch") ?? (digits ? `${digits.slice(0, -1)}.${digits.at(-1)}` : null)
  const isCut = report.isOpen("PyTorch version", version?.text)
  const withRocm = report.number(...ROCM_LABELS) ?? (lower(other ?? "") === ROCM && !isCut ? numberOf(release) : null)
  const isXpu = report.said("XPU used to build PyTorch") !== null || /^true/i.test(report.said("Is XPU available") ?? "")
  let id = null
  if (digits) id = `cu${digits}`
  else if (other) id = lower(other)
  else if (withCuda) id = `cu${withCuda.replace(".", "")}`
  else if (withRocm) id = ROCM
  else if (isXpu) id = XPU
  else if (isBare(report, os)) id = CPU
  return { id, withCuda, withRocm }
}

/** Whether PyTorch itself says that it was built with nothing. Each label is written by a PyTorch that could be asked;
 *  the last of them stands below the lines that an XPU build adds. A Mac's build has its GPU code without any of it. */
const isBare = (report, os) =>
  (os.id === "linux" || os.id === "windows") &&
  report.said("PyTorch version") !== null &&
  report.denies("CUDA used to build PyTorch") &&
  report.denies(...ROCM_LABELS) &&
  (report.denies("HIP runtime version") ||
    report.denies("XPU used to build PyTorch") ||
    /^false/i.test(report.said("Is XPU available") ?? ""))

const driverOf = (text) => (text ? { text, value: /^\d{3}\.\d+(?:\.\d+)?/.exec(text)?.[0] ?? null } : null)

/** What was looked for and could not be told. A Mac has one build, and only one maker's driver has a version here. */
const unknownOf = (index, { version, build, devices, driver, os, python }) => {
  const known = devices.filter((one) => one.hardware)
  const isOtherMaker = known.length > 0 && !known.some((one) => isBelow(index, one.hardware, DRIVER_MAKER))
  const needsDriver = os.id !== "macos" && build !== ROCM && build !== XPU && !isOtherMaker
  const told = {
    version: version?.value,
    build: build ?? os.id === "macos",
    hardware: devices.length > 0 && known.length === devices.length,
    driver: driver?.value ?? !needsDriver,
    os: os.id,
    python: python?.value,
  }
  return Object.keys(told).filter((name) => !told[name])
}

/** @typedef {object} Reading
 *  Besides these it has, under the names of CUDA and ROCm in lower case, with which version PyTorch was built, or null:
 *  never what is installed on the system or what a driver can do.
 *  @property {"report" | "smi" | "packages" | "names" | "nothing"} kind what the text was taken for
 *  @property {Version | null} version of PyTorch
 *  @property {string | null} build as in local versions: "cu" and digits, or the name of the kind
 *  @property {Device[]} devices GPUs; in names that were typed, processors too
 *  @property {boolean} hasGpuButCpuBuild
 *  @property {{text: string, value: string | null} | null} driver NVIDIA's
 *  @property {System} os
 *  @property {"x86-64" | "arm64" | "other" | null} architecture
 *  @property {{text: string, value: string | null, isFreeThreaded: boolean} | null} python
 *  @property {Package[]} packages as listed
 *  @property {string[]} unknown what could not be told: "version", "build", "hardware", "driver", "os", "python"
 *  @property {boolean} cut whether a part of the text was not read: it is too long, or of another environment */

/** @param {string} text @param {import("../finder/store.js").Index} index @returns {Reading} */
export const read = (text, index) => {
  const whole = String(text ?? "")
  const report = new Report(linesOf(whole.slice(0, MOST)))
  const { lines } = report
  const packages = packagesOf(lines)
  const tool = toolOf(index, lines)
  const os = systemOf(report)
  if (!os.id && tool.isWindows) os.id = "windows"
  const architecture = architectureOf(report)
  const listed = devicesOf(index, report, os, architecture)
  let devices = listed.length ? listed : tool.devices
  const python = pythonOf(report)
  let kind = "nothing"
  if (report.isOne || (report.said("OS") && os.id) || python?.value) kind = "report"
  else if (tool.isOne || devices.length) kind = "smi"
  else if (packages.length) kind = "packages"
  else {
    devices = namesOf(index, lines)
    if (devices.length) kind = "names"
  }
  os.isJetson ||= devices.some((one) => EMBEDDED.test(index.hardware.get(one.hardware)?.label ?? ""))
  const version = torchOf(report, packages)
  const { id: build, withCuda, withRocm } = buildOf(report, version, os)
  const found = {
    kind,
    version,
    build,
    devices,
    hasGpuButCpuBuild: build === CPU && devices.length > 0,
    driver: driverOf(report.said("Nvidia driver version") ?? tool.driver),
    [CUDA]: withCuda,
    [ROCM]: withRocm,
    os,
    architecture,
    python,
    packages,
  }
  return { ...found, unknown: unknownOf(index, found), cut: whole.length > MOST || report.isCut }
}
