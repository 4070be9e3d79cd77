import { site } from "../../browser/client/Site.ts"
import { start } from "../../browser/client/start.ts"

/** The views whose one read has the path of the view. */
const readsLikeViews = /^(?:courses|lessons)\/[\w-]+$/

/** The read that the view at this path begins with, below the club's classroom in the API. */
const readOf = (path: string) => path === "" ? "home" : readsLikeViews.test(path) ? path : undefined

const read = readOf(location.pathname.slice(site.root.length + 1))

start(["/v1/auth/session", ...read === undefined ? [] : [`/v1/clubs/${site.club}/classroom/${read}`]])
