import { site } from "../../browser/client/Site.ts"

const { cover, logo, welcome } = document.documentElement.dataset

/** How the club shows itself, as its document says. Each part is undefined if the club has not chosen it. */
export const face = { cover, logo, welcome } as const

/** The club's logo. A club without one has its first letter. The name stands beside it. */
export const Mark = () =>
  face.logo === undefined
    ? <span class="mark-letter" aria-hidden="true">{[...site.name][0]?.toLocaleUpperCase()}</span>
    : <img class="mark-logo" src={face.logo} alt="" />
