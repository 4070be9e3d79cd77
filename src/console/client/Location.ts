import { computed, signal } from "@preact/signals"
import { comeBack, leaveFor, newMark } from "./Scrolling.ts"

const here = () => ({ path: location.pathname, search: location.search })

/** Where the reader is. */
export const place = signal(here())

/** What the address says after its question mark. */
export const query = computed(() => new URLSearchParams(place.value.search))

addEventListener("popstate", ({ state }) => {
  place.value = here()
  comeBack(state)
})

interface Way {
  /** Without a new entry in the history: what going back should not lead to. */
  readonly replace?: boolean
  /** Stay where one is on the page. */
  readonly keepScroll?: boolean
}

/** Leads to an address of the console. */
export const go = (address: string, { keepScroll = false, replace = false }: Way = {}): void => {
  if (replace) history.replaceState(history.state, "", address)
  else {
    const mark = newMark()
    leaveFor(mark)
    history.pushState(mark, "", address)
  }
  place.value = here()
  if (!keepScroll) scrollTo(0, 0)
}

/** The address of now with these parameters changed; what is undefined or empty is left out. */
export const withQuery = (changes: Readonly<Record<string, string | undefined>>): string => {
  const next = new URLSearchParams(place.value.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text === "" ? place.value.path : `${place.value.path}?${text}`
}

/** Changes parameters of the address, as filters do: going back leads to the page before. */
export const setQuery = (changes: Readonly<Record<string, string | undefined>>): void =>
  go(withQuery(changes), { keepScroll: true, replace: true })

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

/** Follows links within the console without loading the page again. */
export const followLinks = (): void => {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    if (link === null || !isPlain(event) || link.target !== "" || link.hasAttribute("download")) return
    const { hash, origin, pathname, search } = new URL(link.href)
    if (origin !== location.origin || !/^\/console(?:\/|$)/.test(pathname) || hash !== "") return
    event.preventDefault()
    go(pathname + search)
  })
}
