import { said, spoken } from "../../../browser/client/Language.ts"
import type { Schemas } from "../../../sdk/index.ts"

/** A post of the community. */
export type Post = Schemas["Post"]

const words = spoken(
  { deleted: "Deleted", untitled: "Without text" },
  { deleted: "Excluído", untitled: "Sem texto" }
)

/** The most characters of the text that stand for a post without a title. */
const start = 80

/** The name of a post in lists: its title, or its first words. */
export const postTitle = ({ body, deleted, title }: Pick<Post, "body" | "deleted" | "title">): string => {
  if (deleted) return said(words).deleted
  if (title !== null) return title
  return body.length > start ? `${body.slice(0, start)}…` : body || said(words).untitled
}
