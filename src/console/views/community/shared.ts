import { said, spoken } from "../../../browser/client/Language.ts"
import type { Tab } from "../../../browser/parts/Tabs.tsx"
import type { Membership } from "../../club/Session.ts"
import { clubPage } from "../../club/View.ts"

const words = spoken(
  { area: "Parts of the community", comments: "Comments", community: "Community", spaces: "Spaces" },
  { area: "Partes da comunidade", comments: "Comentários", community: "Comunidade", spaces: "Espaços" }
)

/** The titles of the area's pages. */
export const communityWords = words

/** The area's pages beside each other. */
export const communityTabs = (club: Membership): { readonly label: string; readonly tabs: ReadonlyArray<Tab> } => ({
  label: said(words).area,
  tabs: [
    { label: said(words).spaces, to: clubPage(club, "community") },
    { label: said(words).comments, to: clubPage(club, "community", "comments") }
  ]
})

/** The key of the community's reads. */
export const communityKey = ({ organization_id }: Membership): string => `${organization_id}/community`
