import { counted, number } from "../../../browser/client/Format.ts"
import { spoken } from "../../../browser/client/Language.ts"

/** The words of the search. */
export const words = spoken(
  {
    field: "Search in your courses",
    found: (count: number) => counted(count, "1 place found", `${number(count)} places found`),
    hint: "Words of a title, of a text or of what somebody says in a video.",
    kinds: { document: "In documents", lesson: "Lessons", transcript: "In videos" },
    none: (query: string) => `Nothing found for “${query}”`,
    noneText: "Try fewer or other words. The search looks into the courses that you have.",
    page: (page: number) => `Page ${number(page)}`,
    title: "Search"
  },
  {
    field: "Buscar nos seus cursos",
    found: (count: number) => counted(count, "1 resultado", `${number(count)} resultados`),
    hint: "Palavras de um título, de um texto ou do que se fala em um vídeo.",
    kinds: { document: "Em documentos", lesson: "Aulas", transcript: "Em vídeos" },
    none: (query: string) => `Nada encontrado para “${query}”`,
    noneText: "Tente menos palavras, ou outras. A busca olha os cursos que você tem.",
    page: (page: number) => `Página ${number(page)}`,
    title: "Busca"
  }
)
