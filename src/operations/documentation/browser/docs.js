// The script of the documentation's pages: buttons that copy, and a search while somebody types. Without it the
// examples can still be selected, and the search answers with a page.

/** Puts a button beside each block of code. */
const addCopyButtons = () => {
  for (const block of document.querySelectorAll(".code")) {
    const code = block.querySelector("code")
    if (code === null) continue
    const button = document.createElement("button")
    button.type = "button"
    button.className = "copy"
    button.textContent = "Copy"
    const label = block.querySelector("pre")?.getAttribute("aria-label") ?? "code"
    button.setAttribute("aria-label", `Copy: ${label}`)
    button.addEventListener("click", async () => {
      const isCopied = await copy(code)
      button.textContent = isCopied ? "Copied" : "Selected"
      setTimeout(() => (button.textContent = "Copy"), 2000)
    })
    block.querySelector("pre")?.prepend(button)
  }
}

/**
 * Copies the text, or selects it where the browser lets nobody copy: on a page that came without TLS from elsewhere.
 * @param {Element} code
 */
const copy = async (code) => {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "")
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}

/** Searches while somebody types, and goes through what is found with the keyboard. */
const addSearch = () => {
  const field = document.querySelector("#q")
  const popup = document.querySelector("#found")
  if (!(field instanceof HTMLInputElement) || !(popup instanceof HTMLElement)) return
  const links = () => [...popup.querySelectorAll("a")]
  const close = () => {
    popup.hidden = true
  }
  let latest = 0

  const show = async () => {
    const mine = ++latest
    const question = field.value.trim()
    if (question === "") return close()
    const answer = await fetch(`/docs/search?part=list&q=${encodeURIComponent(question)}`)
    const list = await answer.text()
    // A newer question is shown instead. Somebody who has gone into the list keeps it, and their place in it.
    if (mine !== latest || !answer.ok || popup.contains(document.activeElement)) return
    popup.innerHTML = list
    popup.hidden = false
  }

  field.addEventListener("input", show)
  field.addEventListener("focus", () => {
    if (field.value.trim() !== "") void show()
  })

  field.form?.addEventListener("keydown", (event) => {
    const found = popup.hidden ? [] : links()
    const at = found.findIndex((one) => one === document.activeElement)
    if (event.key === "Escape") {
      close()
      field.focus()
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = event.key === "ArrowDown" ? found[at + 1] : found[at - 1] ?? field
      if (next !== undefined) {
        event.preventDefault()
        next.focus()
      }
    } else if (event.key === "Enter" && event.target === field && found[0] !== undefined) {
      event.preventDefault()
      found[0].click()
    }
  })

  document.addEventListener("click", (event) => {
    if (event.target instanceof Node && field.form?.contains(event.target) !== true) close()
  })
  // A link to a place on the same page loads nothing, so what is found would stay above it.
  popup.addEventListener("click", close)

  document.addEventListener("keydown", (event) => {
    const isWriting = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    if (event.key !== "/" || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
    field.select()
  })
}

/** The contents are long: what is read stands in their middle. */
const showPlace = () => {
  const contents = document.querySelector("#contents")
  const here = contents?.querySelector("[aria-current]")
  if (!(here instanceof HTMLElement) || !(contents instanceof HTMLElement)) return
  contents.scrollTop = here.offsetTop - contents.clientHeight / 3
}

addCopyButtons()
addSearch()
showPlace()
