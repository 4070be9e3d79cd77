import { said, spoken } from "./Language.ts"
import type { Role } from "./Rights.ts"

const words = spoken<Record<Role, string>>(
  { admin: "Administrator", editor: "Editor", owner: "Owner", support: "Support", viewer: "Viewer" },
  { admin: "Administrador(a)", editor: "Editor(a)", owner: "Dono(a)", support: "Suporte", viewer: "Leitor(a)" }
)

const sentences = spoken<Record<Role, string>>(
  {
    admin: "Does everything but change owners",
    editor: "Teaches: courses, community and comments; reads the rest",
    owner: "Does everything",
    support: "Looks after students, their access and the support inbox; reads the rest",
    viewer: "Reads"
  },
  {
    admin: "Faz tudo, menos mudar donos",
    editor: "Ensina: cursos, comunidade e comentários; lê o resto",
    owner: "Faz tudo",
    support: "Cuida dos alunos, dos acessos e do suporte; lê o resto",
    viewer: "Lê"
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
