/* The search box of every page: a plain form that leads to the finder, with suggestions while one types.
   An ARIA combobox with a list of links below it; the index is fetched when the box is first used. */

/** What answers, fetched when the box is first used: most pages are read without it. */
let tools = null
const fetchTools = async () => {
  const [{ suggest }, { openIndex }] = await Promise.all([import("./finder/search.js"), import("./finder/store.js")])
  tools = { suggest, index: await openIndex() }
  return tools
}

/** What could not be fetched is tried again at the next letter. */
const startAnew = () => {
  tools = null
}

/** Fired before the box leaves the page; who can show the answer here keeps it by `preventDefault()`. */
export const ASKED = "torchnotes:asked"

class SearchBox extends HTMLElement {
  #input
  #list
  #said
  #options = []
  #active = -1
  #turn = 0
  #leaving = null

  connectedCallback() {
    this.#input = this.querySelector("input")
    this.#list = this.querySelector("[role=listbox]")
    this.#said = this.querySelector("[role=status]")
    const input = this.#input
    input.setAttribute("role", "combobox")
    input.setAttribute("aria-autocomplete", "list")
    input.setAttribute("aria-expanded", "false")
    input.setAttribute("aria-controls", this.#list.id)
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    input.addEventListener("focus", () => fetchTools().then(({ index }) => index.words).catch(startAnew), { signal })
    input.addEventListener("input", () => this.#update(), { signal })
    input.addEventListener("keydown", (event) => this.#key(event), { signal })
    this.addEventListener("focusout", (event) => this.contains(event.relatedTarget) || this.#close(), { signal })
    this.#list.addEventListener("mousedown", (event) => event.preventDefault(), { signal })
    // Who comes back to this page does not find it open.
    this.#list.addEventListener("click", () => this.#close(), { signal })
    this.querySelector("form").addEventListener("submit", (event) => this.#submit(event), { signal })
  }

  disconnectedCallback() {
    this.#leaving?.abort()
  }

  async #update() {
    this.#turn += 1
    const turn = this.#turn
    const text = this.#input.value
    if (!text.trim()) return this.#close()
    try {
      // Once it is there it answers at once: no key may meet the list of what was typed before.
      const { suggest, index } = tools ?? (await fetchTools())
      // Somebody who types on is not held up by what was asked before.
      if (turn !== this.#turn || document.activeElement !== this.#input) return undefined
      this.#show(suggest(index, text))
      if (index.ready) return undefined
      // Suggestions by title stay when there are no words, and while one chooses among them.
      await index.words.catch(startAnew)
      const isWaiting = turn === this.#turn && document.activeElement === this.#input && this.#active < 0
      if (index.ready && isWaiting) this.#show(suggest(index, text))
    } catch {
      // Without the index the box is the plain form that it was.
      this.#close()
    }
    return undefined
  }

  #show(suggestions) {
    this.#options = []
    this.#list.replaceChildren()
    let group = null
    suggestions.forEach(({ kind, label, detail, url }) => {
      if (group?.dataset.kind !== kind) {
        group = document.createElement("div")
        group.setAttribute("role", "group")
        group.dataset.kind = kind
        const head = document.createElement("div")
        head.className = "tn-search__kind"
        head.id = `${this.#list.id}-kind-${this.#list.children.length}`
        head.textContent = kind
        head.setAttribute("role", "presentation")
        group.setAttribute("aria-labelledby", head.id)
        group.append(head)
        this.#list.append(group)
      }
      const option = document.createElement("a")
      option.className = "tn-search__option"
      option.id = `${this.#list.id}-${this.#options.length}`
      option.href = url
      option.tabIndex = -1
      option.setAttribute("role", "option")
      option.setAttribute("aria-selected", "false")
      const name = document.createElement("span")
      name.textContent = label
      const more = document.createElement("span")
      more.className = "tn-search__detail"
      more.textContent = detail
      option.append(name, " ", more)
      group.append(option)
      this.#options.push(option)
    })
    this.#activate(-1)
    const isOpen = this.#options.length > 0
    this.#list.hidden = !isOpen
    this.#input.setAttribute("aria-expanded", String(isOpen))
    this.#said.textContent = isOpen ? `${this.#options.length} ${this.#options.length === 1 ? "suggestion" : "suggestions"}` : "No suggestions"
  }

  #close() {
    this.#turn += 1
    this.#list.hidden = true
    this.#input.setAttribute("aria-expanded", "false")
    this.#activate(-1)
    this.#said.textContent = ""
  }

  #activate(at) {
    this.#options[this.#active]?.setAttribute("aria-selected", "false")
    this.#active = at
    const option = this.#options[at]
    option?.setAttribute("aria-selected", "true")
    option?.scrollIntoView({ block: "nearest" })
    if (option) this.#input.setAttribute("aria-activedescendant", option.id)
    else this.#input.removeAttribute("aria-activedescendant")
  }

  #key(event) {
    // While an input method composes a word, its keys are its own.
    if (event.isComposing) return
    const isOpen = !this.#list.hidden
    const last = this.#options.length - 1
    if (event.key === "Escape") {
      if (isOpen) this.#close()
      else if (this.#input.value) this.#input.value = ""
      else this.#input.blur()
    } else if (event.key === "ArrowDown" && isOpen) this.#activate(this.#active >= last ? -1 : this.#active + 1)
    else if (event.key === "ArrowUp" && isOpen) this.#activate(this.#active < 0 ? last : this.#active - 1)
    else if (event.key === "ArrowDown" && this.#input.value.trim()) this.#update()
    else if (event.key === "Enter" && isOpen && this.#active >= 0) this.#options[this.#active].click()
    else return
    event.preventDefault()
  }

  #submit(event) {
    const asked = new CustomEvent(ASKED, { bubbles: true, cancelable: true, detail: this.#input.value })
    this.#close()
    if (this.dispatchEvent(asked)) return
    event.preventDefault()
    this.#input.value = ""
  }
}

customElements.define("tn-search-box", SearchBox)

/* "/" leads to the page's main box, unless one writes somewhere. */
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (event.target.closest("input, textarea, select, [contenteditable]")) return
  const box = document.querySelector("main input[name=q]") ?? document.querySelector("header input[name=q]")
  if (!box) return
  event.preventDefault()
  box.focus()
  box.select()
})
