import { spoken } from "../../browser/client/Language.ts"
import type { IconName } from "../../browser/parts/icons.ts"

/** The names of the areas. */
export const areaWords = spoken(
  {
    account: "Your account",
    community: "Community",
    home: "Home",
    lives: "Lives",
    notifications: "Notifications",
    ranking: "Points",
    repositories: "Files",
    search: "Search",
    support: "Help"
  },
  {
    account: "Sua conta",
    community: "Comunidade",
    home: "Início",
    lives: "Ao vivo",
    notifications: "Avisos",
    ranking: "Pontos",
    repositories: "Arquivos",
    search: "Buscar",
    support: "Ajuda"
  }
)

/** Which part of the classroom a view is about. */
type Area = keyof (typeof areaWords)["en"]

/** One entry of the navigation. */
export interface AreaEntry {
  readonly area: Area
  /** Below the classroom's address; empty for its first page. */
  readonly path: string
  /** Further paths that belong to it. */
  readonly also?: ReadonlyArray<string>
  readonly icon: IconName
}

/** The areas in the order of the navigation. A phone shows the first three below the page, and the rest behind a button. */
export const areas: ReadonlyArray<AreaEntry> = [
  { area: "home", path: "", also: ["courses", "lessons"], icon: "home" },
  { area: "community", path: "community", icon: "people" },
  { area: "lives", path: "lives", icon: "live" },
  { area: "repositories", path: "repositories", icon: "folder" },
  { area: "ranking", path: "ranking", icon: "trophy" },
  { area: "support", path: "support", icon: "help" }
]
