import { place } from "../../browser/client/Location.ts"
import { site } from "../../browser/client/Site.ts"

/** With everything encoded that the service takes for part of another address. */
const encoded = (text: string) => text.replaceAll(/%(?![\da-f]{2})|[^\w%.~*+=&-]/gi, encodeURIComponent)

/** The service takes no longer page. */
const longest = 200

/** The page that somebody without a session asks for, below the classroom's address; empty for the first page. */
export const wantedPage = (): string => {
  const { path, search } = place.value
  const page = path.slice(site.root.length + 1).replace(/\/$/, "")
  if (page === "") return ""
  const further = [["?", search], ["#", location.hash]] as const
  const whole = page + further.map(([mark, text]) => text.length > 1 ? mark + encoded(text.slice(1)) : "").join("")
  return [whole, page].find(({ length }) => length <= longest) ?? ""
}
