import { site } from "../../browser/client/Site.ts"

/** The properties of a view. */
export interface ViewProps {
  /** The parameters of the address, by name. */
  readonly params: Readonly<Record<string, string>>
}

/** The public id of the club. */
export const clubId = site.club ?? ""

/** The parameter that names the club. */
export const ofClub: { readonly clubId: string } = { clubId }

/** The address of a view: `/classroom/<club>/lessons/<lesson>`. */
export const to = (...parts: ReadonlyArray<string>): string => [site.root, ...parts.map(encodeURIComponent)].join("/")
