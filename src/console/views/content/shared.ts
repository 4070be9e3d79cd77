import { said, spoken } from "../../../browser/client/Language.ts"
import type { Tab } from "../../../browser/parts/Tabs.tsx"
import type { Membership } from "../../club/Session.ts"
import { clubPage } from "../../club/View.ts"

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

/** The question before a delivery starts to reach every student. */
export const givesAll = spoken(
  {
    action: "Give it to every student",
    text: (name: string) => `Every student of the club gets ${name} at once. Later students get it when they join.`,
    title: "Give this delivery to every student?"
  },
  {
    action: "Dar a todos os alunos",
    text: (name: string) => `Todos os alunos do clube recebem ${name} na hora. Alunos novos recebem quando entrarem.`,
    title: "Dar esta entrega a todos os alunos?"
  }
)

/** The titles of the area's pages. */
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
