import { computed, signal } from "@preact/signals"
import { comeBack, leaveFor, markNow, newMark } from "./Scrolling.ts"
import { site } from "./Site.ts"
import { type Ask, makeUnsavedGuard } from "./UnsavedGuard.ts"

const here = () => ({ path: location.pathname, search: location.search })

/** The reader's address. */
export const place = signal(here())

/** The parameters of the address. */
export const query = computed(() => new URLSearchParams(place.value.search))

const unsavedGuard = makeUnsavedGuard()

/** From now on somebody is asked before they go to another page. Answers what ends that. */
export const askBeforeLeaving = (ask: Ask): () => void => unsavedGuard.add(ask)

/** Leaves for another page once the keepers agree. */
const leaving = (path: string, leave: () => void) => {
  if (path === place.peek().path) leave()
  else unsavedGuard.ask(leave)
}

const arrive = () => {
  place.value = here()
}

addEventListener("popstate", ({ state }) => {
  const { path, search } = place.peek()
  const isGuarded = !unsavedGuard.isEmpty() && location.pathname !== path
  const { pathname } = location
  // A browser goes back without asking. So this returns to the page, and goes back once the keepers agree.
  if (isGuarded) history.pushState(markNow(), "", path + search)
  leaving(
    pathname,
    isGuarded ? () => history.back() : () => {
      arrive()
      comeBack(state)
    }
  )
})

interface Way {
  /** Without a new entry in the history: what going back should not lead to. */
  readonly replace?: boolean
  /** Keeps the scroll position. */
  readonly keepScroll?: boolean
}

/** Leads to an address of the page. */
export const go = (address: string, { keepScroll = false, replace = false }: Way = {}): void => {
  const lead = () => {
    if (replace) history.replaceState(history.state, "", address)
    else {
      const mark = newMark()
      leaveFor(mark)
      history.pushState(mark, "", address)
    }
    arrive()
    if (!keepScroll) scrollTo(0, 0)
  }
  // A page is replaced if it no longer exists.
  if (replace) lead()
  else leaving(new URL(address, location.href).pathname, lead)
}

/** The current address with these parameters changed. Undefined and empty ones drop out. */
const withQuery = (changes: Readonly<Record<string, string | undefined>>): string => {
  const next = new URLSearchParams(place.value.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name)
    else next.set(name, value)
  }
  const text = `${next}`
  return text === "" ? place.value.path : `${place.value.path}?${text}`
}

/** Changes parameters of the address, as filters do: going back leads to the page before. */
export const setQuery = (changes: Readonly<Record<string, string | undefined>>): void =>
  go(withQuery(changes), { keepScroll: true, replace: true })

const isOwn = (path: string) => path === site.root || path.startsWith(`${site.root}/`)

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

/** Follows links within the page without loading it again. */
export const followLinks = (): void => {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    if (link === null || !isPlain(event) || link.target !== "" || link.hasAttribute("download")) return
    const { hash, origin, pathname, search } = new URL(link.href)
    if (origin !== location.origin || !isOwn(pathname) || hash !== "") return
    event.preventDefault()
    go(pathname + search)
  })
}
