import { said, spoken } from "../../browser/client/Language.ts"
import type { Role } from "./Rights.ts"

const words = spoken<Record<Role, string>>(
  { admin: "Administrator", editor: "Editor", owner: "Owner", support: "Support", viewer: "Viewer" },
  { admin: "Administração", editor: "Edição", owner: "Titular", support: "Suporte", viewer: "Leitura" }
)

const sentences = spoken<Record<Role, string>>(
  {
    admin: "Does everything except change owners",
    editor: "Teaches: courses, community and comments; reads the rest",
    owner: "Does everything",
    support: "Looks after students, their access and the support inbox; reads the rest",
    viewer: "Only reads"
  },
  {
    admin: "Faz tudo, exceto mudar titulares",
    editor: "Cuida de cursos, comunidade e comentários; vê o resto",
    owner: "Faz tudo",
    support: "Cuida de alunos, acessos e suporte; vê o resto",
    viewer: "Só vê"
  }
)

/** The roles, the highest first. */
export const roles: ReadonlyArray<Role> = ["owner", "admin", "editor", "support", "viewer"]

const known = (role: string): Role | undefined => roles.find((one) => one === role)

/** A role in a word. */
export const roleName = (role: string): string => {
  const found = known(role)
  return found === undefined ? role : said(words)[found]
}

/** The rights of a role, in a sentence. */
export const roleSentence = (role: string): string => {
  const found = known(role)
  return found === undefined ? "" : said(sentences)[found]
}
