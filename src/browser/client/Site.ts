const { club, page = "console" } = document.documentElement.dataset
const name = document.querySelector("meta[name=application-name]")?.getAttribute("content") ?? "Turma"

/**
 * The page as its document describes it. The server writes that, and nothing else tells the console from a club's
 * classroom.
 */
export const site = {
  /** The public id of the page's only club. Undefined for the console, which has several. */
  club,
  /** The site's name in the title of a tab. */
  name,
  /** All addresses of the page are here or below. */
  root: club === undefined ? `/${page}` : `/${page}/${club}`,
  /** The server exchanges the cookie for a session below this address. */
  exchange: `/${page}`,
  /** No form can send it, so the exchange knows its own page by it. */
  header: { [`turma-${page}`]: club ?? "1" }
} as const
