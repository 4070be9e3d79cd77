import { counted, number } from "../../../browser/client/Format.ts"
import { spoken } from "../../../browser/client/Language.ts"

/** The words of several pages of the community. */
export const words = spoken(
  {
    body: "Text",
    by: (name: string) => `Post by ${name}`,
    cancel: "Cancel",
    comments: (count: number) => `${number(count)} ${counted(count, "comment", "comments")}`,
    community: "Community",
    deleted: "This post was deleted.",
    draft: "Your draft is kept in this tab.",
    hidden: "The team has hidden this post.",
    hint: "**bold**, _italics_, lists and links work. @ mentions somebody.",
    missing: "This space is not here",
    missingText: "It may have been closed, or it belongs to a course that you do not have.",
    publish: "Publish",
    save: "Save",
    sending: "Sending…",
    staff: "Team",
    title: "Title (optional)",
    untitled: "Post",
    write: "Write a post"
  },
  {
    body: "Texto",
    by: (name: string) => `Post de ${name}`,
    cancel: "Cancelar",
    comments: (count: number) => `${number(count)} ${counted(count, "comentário", "comentários")}`,
    community: "Comunidade",
    deleted: "Este post foi excluído.",
    draft: "Seu rascunho fica guardado nesta aba.",
    hidden: "A equipe ocultou este post.",
    hint: "**negrito**, _itálico_, listas e links funcionam. @ menciona alguém.",
    missing: "Este espaço não está disponível",
    missingText: "Ele pode ter sido encerrado ou fazer parte de um curso que você não tem.",
    publish: "Publicar",
    save: "Salvar",
    sending: "Enviando…",
    staff: "Equipe",
    title: "Título (opcional)",
    untitled: "Post",
    write: "Escrever um post"
  }
)
