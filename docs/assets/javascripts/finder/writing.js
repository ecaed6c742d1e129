/* Writing into the page: texts only, never markup. */

/** The element that the template marks with a name. */
export const at = (page, name) => page.querySelector(`[data-${name}]`)

/** Write a text where another stands: the same one is not announced again. */
export const put = (element, text) => {
  if (element.textContent !== String(text)) element.textContent = text
}

/** Add an element with a text to a place. */
export const add = (place, tag, text = "", className = "") => {
  const element = place.appendChild(document.createElement(tag))
  if (className) element.className = className
  if (text) element.textContent = text
  return element
}

/** Add a button that does something. */
export const addButton = (place, text, act, className = "tn-button") => {
  const button = add(place, "button", text, className)
  button.type = "button"
  button.addEventListener("click", () => act(button))
  return button
}

/** A text of at most so many letters. */
export const short = (text, most) => [...text].slice(0, most).join("")

/** What somebody typed, within a sentence of ours: its beginning, and not turning about what stands around it. */
export const quoted = (text, most) => {
  const shown = short(text, most)
  return `“${/[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFEFC]/.test(shown) ? `\u2068${shown}\u2069` : shown}”`
}
