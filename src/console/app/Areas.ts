import { spoken } from "../../browser/client/Language.ts"
import type { IconName } from "../../browser/parts/icons.ts"
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

const groups = spoken(
  { connect: "Connect", sell: "Sell", teach: "Teach" },
  { connect: "Conectar", sell: "Vender", teach: "Ensinar" }
)

/** The names of the groups of areas. */
export const groupWords = groups

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
  readonly icon: IconName
}

/** Areas that belong together. */
interface AreaGroup {
  readonly group: keyof (typeof groups)["en"] | undefined
  readonly entries: ReadonlyArray<AreaEntry>
}

/** The areas in their groups, as the navigation has them. */
export const areaGroups: ReadonlyArray<AreaGroup> = [
  { group: undefined, entries: [{ area: "home", path: "", key: "o", right: "read", icon: "home" }] },
  {
    group: "teach",
    entries: [
      { area: "content", path: "content", key: "c", right: "read", icon: "book" },
      { area: "community", path: "community", key: "m", right: "read", icon: "chat" },
      { area: "assistant", path: "assistant", key: "a", right: "teach", icon: "spark" },
      { area: "support", path: "support", key: "u", right: "support", icon: "help" },
      { area: "gamification", path: "gamification", key: "g", right: "read", icon: "trophy" }
    ]
  },
  {
    group: "sell",
    entries: [
      { area: "sales", path: "sales", key: "s", right: "administer", icon: "bag" },
      { area: "students", path: "students", key: "t", right: "read", icon: "cap" },
      { area: "billing", path: "billing", key: "b", right: "read", icon: "card" }
    ]
  },
  {
    group: "connect",
    entries: [
      { area: "webhooks", path: "webhooks", key: "w", right: "administer", icon: "bolt" },
      { area: "keys", path: "keys", key: "k", right: "administer", icon: "key" },
      { area: "members", path: "members", key: "e", right: "read", icon: "people" },
      { area: "settings", path: "settings", key: "l", right: "read", icon: "sliders" }
    ]
  }
]

/** Every area, in that order. */
export const areas: ReadonlyArray<AreaEntry> = areaGroups.flatMap(({ entries }) => entries)
