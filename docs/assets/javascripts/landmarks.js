/* Material puts each copy button into a <nav> of its own, so that a page has many landmarks of one name. They lose
   that role: who goes from landmark to landmark meets only the real ones. */

const mend = () => {
  for (const one of document.querySelectorAll("nav.md-code__nav:not([role])")) one.setAttribute("role", "none")
}

new MutationObserver(mend).observe(document.body, { childList: true, subtree: true })
mend()
