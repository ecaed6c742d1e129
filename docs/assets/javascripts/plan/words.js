/* Words of the page for values that a script meets: an unknown value is its own word. */

/** @param {HTMLElement} element holds a list of words @returns {(name: string, value: string) => string} */
export const wordsIn = (element) => {
  const words = new Map(
    [...element.querySelectorAll("[data-word]")].map((one) => [`${one.dataset.word}=${one.dataset.value}`, one.textContent]),
  )
  return (name, value) => words.get(`${name}=${value}`) ?? value
}
