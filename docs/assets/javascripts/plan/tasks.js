/* A plan as a Markdown task list, to be pasted into an issue. Texts become plain text there: nothing of them is markup,
   mentions nobody and refers to no issue. */

const escaped = (text) => text.replace(/[\\`*_{}[\]<>()#+!|~&:-]/g, (sign) => `\\${sign}`).replaceAll("@", "&#64;")

const code = (text) => {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  const room = longest ? " " : ""
  return `${fence}${room}${text}${room}${fence}`
}

/** The text of an element, its code as code. @param {Node} element */
export const markdownOf = (element) =>
  [...element.childNodes]
    .map((node) => {
      if (node.nodeType === 3) return escaped(node.data)
      return node.nodeName === "CODE" ? code(node.textContent) : markdownOf(node)
    })
    .join("")
    .replace(/\s+/g, " ")

/** @typedef {{title: string, url: string, action: string, isDone: boolean, todo: string[]}} Task `title` and `todo` in Markdown
 *  already, `action` as text */

/** @param {string} title @param {string} address @param {{title: string, tasks: Task[]}[]} phases */
export const taskList = (title, address, phases) => {
  const parts = [`## ${escaped(title)}`, `<${address}>`]
  for (const phase of phases) {
    if (!phase.tasks.length) continue
    const lines = phase.tasks.map(({ title: name, url, action, isDone, todo }) => {
      const head = `- [${isDone ? "x" : " "}] **${escaped(action)}**: ${url ? `[${name}](<${url}>)` : name}`
      return [head, ...todo.map((one) => `    - ${one}`)].join("\n")
    })
    parts.push(`### ${escaped(phase.title)}`, lines.join("\n"))
  }
  return `${parts.join("\n\n")}\n`
}
