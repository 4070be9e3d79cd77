import { spoken } from "../../browser/client/Language.ts"
import type { Right } from "../club/Rights.ts"

const words = spoken(
  {
    assistant: "Assistant",
    billing: "Billing",
    community: "Community",
    content: "Courses",
    gamification: "Gamification",
    home: "Overview",
    keys: "Keys",
    members: "Members",
    sales: "Sales",
    settings: "Club",
    students: "Students",
    support: "Support",
    webhooks: "Webhooks"
  },
  {
    assistant: "Assistente",
    billing: "Assinatura",
    community: "Comunidade",
    content: "Cursos",
    gamification: "Gamificação",
    home: "Visão geral",
    keys: "Chaves",
    members: "Equipe",
    sales: "Vendas",
    settings: "Clube",
    students: "Alunos",
    support: "Suporte",
    webhooks: "Webhooks"
  }
)

/** The names of the areas. */
export const areaWords = words

/** Which part of a club a view is about. */
type Area = keyof (typeof words)["en"]

/** One entry of the navigation, in its order. */
export interface AreaEntry {
  readonly area: Area
  /** Below the club's address; empty for its first page. */
  readonly path: string
  /** After `g`. */
  readonly key: string
  /** The right that opens it. */
  readonly right: Right
}

/** Every area, as the navigation has them. */
export const areas: ReadonlyArray<AreaEntry> = [
  { area: "home", path: "", key: "o", right: "read" },
  { area: "webhooks", path: "webhooks", key: "w", right: "administer" },
  { area: "sales", path: "sales", key: "s", right: "administer" },
  { area: "students", path: "students", key: "t", right: "read" },
  { area: "content", path: "content", key: "c", right: "read" },
  { area: "gamification", path: "gamification", key: "g", right: "read" },
  { area: "community", path: "community", key: "m", right: "read" },
  { area: "support", path: "support", key: "u", right: "support" },
  { area: "assistant", path: "assistant", key: "a", right: "teach" },
  { area: "billing", path: "billing", key: "b", right: "read" },
  { area: "members", path: "members", key: "e", right: "read" },
  { area: "keys", path: "keys", key: "k", right: "administer" },
  { area: "settings", path: "settings", key: "l", right: "read" }
]
