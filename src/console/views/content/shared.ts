import { said, spoken } from "../../client/Language.ts"
import type { Membership } from "../../client/Session.ts"
import { clubPage } from "../../client/View.ts"
import type { Tab } from "../../parts/Tabs.tsx"

const words = spoken(
  {
    area: "Parts of the courses",
    courses: "Courses",
    deliveries: "Deliveries",
    media: "Media",
    repositories: "Repositories",
    submissions: "Submissions"
  },
  {
    area: "Partes dos cursos",
    courses: "Cursos",
    deliveries: "Entregas",
    media: "Mídia",
    repositories: "Repositórios",
    submissions: "Tarefas enviadas"
  }
)

/** What the area's pages are called. */
export const contentWords = words

/** The area's pages beside each other. */
export const contentTabs = (club: Membership): { readonly label: string; readonly tabs: ReadonlyArray<Tab> } => ({
  label: said(words).area,
  tabs: [
    { label: said(words).courses, to: clubPage(club, "content") },
    { label: said(words).deliveries, to: clubPage(club, "content", "deliveries") },
    { label: said(words).repositories, to: clubPage(club, "content", "repositories") },
    { label: said(words).media, to: clubPage(club, "content", "media") },
    { label: said(words).submissions, to: clubPage(club, "content", "submissions") }
  ]
})

/** The parameter that names the club. */
export const ofClub = ({ organization_id }: Membership): { readonly clubId: string } => ({ clubId: organization_id })

/** All items of a list of the API, however many pages it has. */
export const allOf = async <A>(list: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const items: Array<A> = []
  for await (const item of list) items.push(item)
  return items
}
